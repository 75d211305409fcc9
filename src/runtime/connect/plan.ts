import { hash } from 'node:crypto';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import { type Client, type ClientPlaces, type ConnectScope, SyntaxTrouble, type Target } from './client.ts';
import { isHere } from './clients.ts';
import { hookAgent } from './hook-agents.ts';
import { connectHooks, disconnectHooks, eventsOf, findHooks, homesIn, isSameHome } from './hook-entries.ts';
import { parseSettings, type JsonPath } from './json/edit.ts';
import type { Program } from './program.ts';
import type { Receipts } from './receipts.ts';
import { connectPlugin, disconnectPlugin, findPlugin } from './plugin-entry.ts';
import { connectServer, disconnectServer, findServer, type Edited } from './server-entry.ts';
import { assertWritable, readSettings } from './settings-file.ts';

/** The planned change of one settings file. */
export interface FileChange {
  readonly file: string;
  /** The file may hold a server and hooks. */
  readonly targets: readonly Target[];
  /** Undefined: there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Containers that are made on the way. */
  readonly made: readonly JsonPath[];
  /** The same change for another text: the program may write its settings while somebody reads the plan. */
  readonly again: (before: string | undefined) => Pick<FileChange, 'after' | 'made'>;
}

export interface ConnectPlan {
  readonly action: 'install' | 'uninstall';
  readonly client: Client;
  readonly scope: ConnectScope;
  readonly changes: readonly FileChange[];
  /** Things the person should know. */
  readonly notes: readonly string[];
}

interface PlanInput {
  readonly client: Client;
  readonly scope: ConnectScope;
  readonly places: ClientPlaces;
  /** The home that is connected or disconnected. */
  readonly home: string;
  readonly receipts: Receipts;
}

/** Plans the changes for connecting. Writes nothing; reports all that cannot be read or understood. */
export function planConnect(input: PlanInput, program: Program): ConnectPlan {
  const { client, scope, places } = input;
  const { platform } = places;
  const isSeen = scope === 'project' || isHere(client, places);
  const absence = `Nothing of ${client.title} was found here; its settings are made for when it comes.`;
  const planned = plan('install', input, (_file, targets, present) => ({
    note: replacedHome(
      input,
      targets.flatMap((target) => homesIn(present, target, places)),
    ),
    again: (before) => {
      let after = before ?? '';
      const made: JsonPath[] = [];
      for (const target of targets) {
        const edited = connectTarget(after, target, program, platform);
        after = edited.text;
        made.push(...edited.made);
      }
      return { after, made };
    },
  }));
  return isSeen ? planned : { ...planned, notes: [absence, ...planned.notes] };
}

export function planDisconnect(input: PlanInput): ConnectPlan {
  assertOwnHome(input);
  return plan('uninstall', input, (file, targets) => {
    const { receipt, problem } = input.receipts.find(file);
    const made = receipt?.made ?? [];
    return {
      note: problem,
      again: (before) => {
        if (before === undefined) return { after: undefined, made: [] };
        if (receipt !== undefined && hash('sha256', before) === receipt.hashAfter) {
          const original = input.receipts.findOriginal(receipt);
          // An original that was connected to another home is not restored.
          const isFree = targets.every((target) => isConnected(original, target) === 'no');
          if (original !== undefined && isFree) return { after: original, made: [] };
        }
        const after = targets.toReversed().reduce((text, target) => disconnectTarget(text, target, made), before);
        const isLeftOver = receipt?.existed === false && after !== before && isEmptySettings(after, targets);
        return { after: isLeftOver ? undefined : after, made: [] };
      },
    };
  });
}

function connectTarget(text: string, target: Target, program: Program, platform: NodeJS.Platform): Edited {
  switch (target.kind) {
    case 'hooks':
      return connectHooks(text, program, platform, hookAgent(target.agent));
    case 'plugin':
      return connectPlugin(text, target, program);
    case 'server':
      return connectServer(text, target, program);
  }
}

function disconnectTarget(text: string, target: Target, made: readonly JsonPath[]): string {
  switch (target.kind) {
    case 'hooks':
      return disconnectHooks(text, made, hookAgent(target.agent));
    case 'plugin':
      return disconnectPlugin(text, target, made);
    case 'server':
      return disconnectServer(text, target, made);
  }
}

/** Whether a settings file names Mneme, wholly or in part. */
export function isConnected(text: string | undefined, target: Target): 'yes' | 'partly' | 'no' {
  if (text === undefined) return 'no';
  if (target.kind === 'server') return ['own', 'remote'].includes(findServer(text, target).kind) ? 'yes' : 'no';
  if (target.kind === 'plugin') return findPlugin(text, target) === undefined ? 'no' : 'yes';
  const events = new Set(findHooks(text, hookAgent(target.agent)).map(({ event }) => event));
  if (events.size === 0) return 'no';
  return events.size === eventsOf(hookAgent(target.agent)).length ? 'yes' : 'partly';
}

function replacedHome({ client, home }: PlanInput, homes: readonly string[]): string | undefined {
  const other = homes.find((one) => !isSameHome(one, home));
  return other === undefined
    ? undefined
    : `${client.title} uses the memory in ${other} now; this connects it to ${home} instead.`;
}

/** A connection is taken out in the name of the home it leads to: nobody else's is cut off by mistake. */
function assertOwnHome({ client, home, scope, places }: PlanInput): void {
  const homes = (client.targets(places, scope) ?? []).flatMap((target) =>
    naming(target.file, () => homesIn(readSettings(target.file), target, places)),
  );
  const [other] = homes;
  if (other === undefined || homes.some((one) => isSameHome(one, home))) return;
  const project = scope === 'project' ? ' --scope project' : '';
  throw new MnemeError('conflict', `${client.title} is connected to another home: ${other}.`, {
    hint: `To disconnect that one: mneme --home ${JSON.stringify(other)} uninstall ${client.name}${project}`,
  });
}

type Again = FileChange['again'];

function plan(
  action: ConnectPlan['action'],
  { client, scope, places }: PlanInput,
  changeOf: (
    file: string,
    targets: readonly Target[],
    present: string | undefined,
  ) => { readonly again: Again; readonly note: string | undefined },
): ConnectPlan {
  const targets = client.targets(places, scope);
  if (targets === undefined) {
    throw new MnemeError('usage', `${client.title} has no settings for a single project.`, {
      hint: 'Leave out --scope project.',
    });
  }
  const notes: string[] = [];
  // The last first when taking back: folders made for one file may hold the other.
  const ordered = action === 'install' ? targets : targets.toReversed();
  const changes = [...new Set(ordered.map(({ file }) => file))].map((file): FileChange => {
    const before = readSettings(file);
    const own = targets.filter((target) => target.file === file);
    const { note, again } = naming(file, () => changeOf(file, own, before));
    if (note !== undefined && !notes.includes(note)) notes.push(note);
    const named: Again = (text) => naming(file, () => again(text));
    const { after, made } = named(before);
    if (after !== before) assertWritable(file);
    return { file, targets: own, before, after, made, again: named };
  });
  return { action, client, scope, changes, notes };
}

/** Says in which file something was wrong. */
export function naming<T>(file: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof SyntaxTrouble) {
      throw new MnemeError('failure', `${file} cannot be understood (${error.message}); nothing was changed.`, {
        hint: 'Correct the file, then run this again.',
        cause: error,
      });
    }
    if (!isMnemeError(error)) throw error;
    throw new MnemeError(error.code, `${file}: ${error.message} Nothing was changed.`, {
      hint: error.hint,
      cause: error,
    });
  }
}

function isEmptySettings(text: string, targets: readonly Target[]): boolean {
  if (targets.some(({ format }) => format === 'toml')) return text.trim() === '';
  const root = parseSettings(text);
  return root.kind === 'object' && /^\s*(?:\{\s*\})?\s*$/u.test(text);
}
