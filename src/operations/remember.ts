import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isMnemeError, MnemeError, must } from '../model/errors.ts';
import { newItemId } from '../model/ids.ts';
import {
  isScope,
  isTrustedAtLeast,
  lowestTrust,
  SOURCES,
  TRUST_LEVELS,
  type Source,
  type Trust,
} from '../model/provenance.ts';
import { divideRequest } from '../judge/requests/command-words.ts';
import { roleOf } from '../model/mutation.ts';
import { shorten } from '../model/text.ts';
import { EPISODE_TYPES } from '../model/schemas/time.ts';
import { CORE_BLOCKS, coreBlockNamed, type CoreBlockName } from '../workspace/formats/core.ts';
import type { Hit } from '../retrieve/hit.ts';
import { findEpisodeEntry } from '../workspace/formats/episode.ts';
import { blockLineRanges } from '../workspace/markdown/blocks.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { Change, CommitResult } from '../workspace/door/request.ts';
import { WRITE_STRATEGIES } from '../workspace/write-queue.ts';
import { noteRemembered } from './chain/note-memories.ts';
import type { OperationContext } from './context.ts';
import type { View } from './command-line/style.ts';
import type { Described, Filing, MemoryPlan, ProposedMemory } from './extract/file-by-words.ts';
import { assertMayWrite } from './operation.ts';
import { placeMemory } from './place-memory.ts';
import { noteRememberedHere } from './session/note-remembered.ts';
import { assertNotPrivate } from './session/open-sessions.ts';
import { defineVerb } from './verb.ts';
import { withCommit } from './commit-or-propose.ts';
import { writeOrPropose } from './writer-gate.ts';
import { MAX_ITEM_BYTES } from '../memory/stores/plan.ts';

const CORE_BLOCK_NAMES = CORE_BLOCKS.map(({ name }) => name) as [CoreBlockName, ...CoreBlockName[]];

const input = z.object({
  text: z.string().trim().min(1, 'there is nothing to remember').describe('What to remember, in plain words.'),
  store: z
    .enum(['episodic', 'semantic', 'core', 'vault'])
    .optional()
    .describe(
      'Where it is kept: the day it happened, what is known of a person or thing, core memory (always in context), or the vault (never fades). Filed by what it says when not given.',
    ),
  block: z.enum(CORE_BLOCK_NAMES).default('Critical Facts').describe('Block of core memory, with `--store core`.'),
  type: z.enum(EPISODE_TYPES).default('fact').describe('Type of memory.'),
  tags: z.array(z.string().trim().min(1)).max(20).default([]).describe('Topics to find it by, comma-separated.'),
  importance: z.number().min(0).max(1).optional().describe('How important it is, 0 to 1.'),
  confidence: z.enum(['high', 'medium', 'low']).optional().describe('How sure it is.'),
  source: z
    .enum(SOURCES)
    .optional()
    .describe('Where it comes from; what an agent says never counts as said by the user.'),
  trust: z.enum(TRUST_LEVELS).optional().describe('How far it is trusted; never more than the caller.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Scope it belongs to: shared, user:NAME, project:NAME, channel:NAME or agent:NAME.'),
  session: z.string().optional().describe('Session it comes from.'),
  turn: z.string().optional().describe('Turn of that session it comes from.'),
  trigger: z.string().optional().describe('Reason for keeping it.'),
  strategy: z.enum(WRITE_STRATEGIES).optional().describe('When it is written; at once when not given.'),
});

export type RememberInput = z.input<typeof input>;

export interface Remembered {
  readonly id: string;
  readonly mutation: string;
  /** `meta` when it contradicts what is known and waits for a person, as a proposal. */
  readonly store: 'episodic' | 'semantic' | 'procedural' | 'core' | 'vault' | 'meta';
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** null until git has followed; the CLI waits for it. */
  readonly commit: string | null;
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
  /** The block of core memory that states it as well. */
  readonly block?: CoreBlockName | undefined;
}

export const remember = defineVerb({
  name: 'remember',
  summary: 'Keep something: a fact, a decision, a preference.',
  description: 'Keep something: a fact, a decision, a preference. `-` reads the text from standard input.',
  examples: [
    'mneme remember "The spare key hangs behind the boiler"',
    'mneme remember --store core --block Identity "Allergic to penicillin"',
    'mneme remember --type decision --tags deploy,harbour "We deploy on Tuesdays"',
  ],
  input,
  args: ['text...'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<Remembered> {
    return writeOrPropose(
      context,
      () => rememberAs(context, given, whoseWord(context, given)),
      async (reason) => (await import('./agents/propose-memory.ts')).proposeMemory(context, given, reason),
    );
  },
  // At once: a request that waits for a quiet minute is a request that times out. The write path groups what comes together.
  http: { fixed: { strategy: 'immediate' } },
  cli: {
    section: 'everyday',
    aliases: ['add'],
    stdin: 'text',
    options: {
      block: { parse: (typed) => coreBlockNamed(String(typed)) },
      importance: { value: 'number' },
      scope: { value: 'scope' },
      session: { value: 'id' },
      trigger: { value: 'words' },
      turn: false,
      strategy: false,
    },
    // This process ends when the command does: there is nothing to wait for.
    prepare: ({ input: typed }) => ({ ...typed, text: typed.text ?? '', strategy: 'immediate' as const }),
    finish: withCommit,
  },
  render,
});

function render({ style }: View, { id, path, startLine, redacted, warnings, mutation }: Remembered): string {
  const lines = [
    `${style.green('Remembered')} ${style.bold(id)} in ${path}:${startLine}`,
    ...(redacted.length === 0 ? [] : [`${style.yellow('Redacted')} ${redacted.join(', ')}`]),
    ...warnings.map((warning) => `${style.yellow('note')} ${warning}`),
    style.dim(`undo: mneme rollback ${mutation}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The source of a statement, and the notes it requires. */
interface Word {
  readonly source: Source;
  readonly trust: Trust;
  readonly warnings: readonly string[];
}

/** On the user's own word, whichever agent carries it: for messages a user wrote, never for what an agent says of them. */
export function rememberForUser(context: OperationContext, given: RememberInput): Promise<Remembered> {
  assertMayWrite(context.actor, remember.name);
  const word = { source: 'user-explicit', trust: 'user', warnings: [] } as const;
  return rememberAs(context, input.parse(given), word);
}

/** Remembers, at the user's request, words of another speaker or a pasted text: with the trust of their source. */
export function rememberSaid(context: OperationContext, given: RememberInput, trust: Trust): Promise<Remembered> {
  assertMayWrite(context.actor, remember.name);
  const speaker = trust === 'external' ? 'the pasted text' : trust === 'agent' ? 'the agent' : 'a tool';
  const warnings = [`It is kept as the word of ${speaker}, not as the user's.`];
  return rememberAs(context, input.parse(given), { source: 'conversation', trust, warnings });
}

/** An agent's word is an agent's, whatever it says about itself; anybody may claim to be less sure than that. */
function whoseWord({ actor }: OperationContext, given: z.output<typeof input>): Word {
  const own: Trust = roleOf(actor) === 'human' ? 'user' : 'agent';
  const trust = lowestTrust([own, given.trust ?? own]);
  const source = given.source ?? (own === 'user' ? 'user-explicit' : 'conversation');
  const isClaimed = own === 'agent' && (given.trust === 'user' || source === 'user-explicit');
  return {
    trust,
    source: own === 'agent' && source === 'user-explicit' ? 'conversation' : source,
    warnings: isClaimed ? ['It is kept as an agent’s word: only the user’s own messages count as the user’s.'] : [],
  };
}

async function rememberAs(
  context: OperationContext,
  asked: z.output<typeof input>,
  { source, trust, warnings }: Word,
): Promise<Remembered> {
  assertNotPrivate(context, asked.session);
  if (asked.store === 'core' && !isTrustedAtLeast(trust, 'agent')) throw refusedInCore(trust);
  const remembered = await keep(context, { ...asked, source, trust });
  if (remembered.store !== 'meta') {
    await noteRemembered(context, asked, remembered);
    await noteRememberedHere(context, asked, remembered);
  }
  return { ...remembered, warnings: [...warnings, ...remembered.warnings] };
}

function refusedInCore(trust: Trust): MnemeError {
  return new MnemeError('refused', `Text of ${trust} origin does not become core memory.`, {
    hint: 'Leave out the store, so that it is kept where it is looked for, or put what matters of it in your own words.',
  });
}

type Told = z.output<typeof input> & { readonly source: Source; readonly trust: Trust };

async function keep(context: OperationContext, given: Told): Promise<Remembered> {
  if (Buffer.byteLength(given.text) > MAX_ITEM_BYTES) {
    throw new MnemeError('usage', `That is longer than one memory may be (${MAX_ITEM_BYTES} bytes).`, {
      hint: 'Keep long text as a file under memory/reference/ (`mneme memory append`) and remember a line about it.',
    });
  }
  // Before anything is derived from the text: a file name must not carry a secret either.
  const { text, findings } = await context.workspace.redactor.redact(given.text);
  const redacted = findings.map(({ rule }) => rule);
  const told = { ...given, text };
  const alike = await findAlike(context, told);
  const remembered =
    (await carryOut(context, told, await planMemory(context, told, alike, true))) ??
    // The entry that said the same says something else by now.
    (await carryOut(context, told, await planMemory(context, told, alike, false)));
  return { ...must(remembered, 'what became of a memory'), redacted };
}

/** The one place where a memory is written. */
async function carryOut(
  context: OperationContext,
  given: Told,
  plan: MemoryPlan | ProposedMemory,
): Promise<Described | undefined> {
  if ('propose' in plan) return plan.propose();
  const { summary, changes, strategy = given.strategy, isApproved, describe } = plan;
  if (changes.length === 0) return describe(undefined);
  const { actor } = context;
  const { trigger, session, importance } = given;
  const approval = roleOf(actor) === 'human' ? '—' : isApproved === true ? 'approved' : 'auto';
  const result = await context.writes.write(
    { actor, approval, trigger, session, summary, changes },
    { strategy, importance },
  );
  if (result !== undefined) return describe(result);
  throw new MnemeError('refused', 'It is not important enough to be written.', {
    hint: 'Say how important it is (--importance), or use another strategy.',
  });
}

/** Notes that it was heard again, files it by what it says, or writes it down in the words in which it was told. */
async function planMemory(
  context: OperationContext,
  given: Told,
  alike: readonly Hit[],
  mayConfirm: boolean,
): Promise<MemoryPlan | ProposedMemory> {
  const { text } = given;
  const bare = withoutAsking(text);
  const confirmation = mayConfirm ? await planHeardAgain(context, given, [text, bare], alike) : undefined;
  if (confirmation !== undefined) return confirmation;
  const filing = await planByWords(context, given);
  if (filing?.plan !== undefined) return filing.plan;
  const { store = given.store, also = [] } = filing ?? {};
  return planEntry(context, { ...given, text: bare, store }, alike, also);
}

/** The words that only ask are no part of what is kept. */
function withoutAsking(text: string): string {
  const { content, asking } = divideRequest(text);
  return asking === '' ? text : content.charAt(0).toUpperCase() + content.slice(1);
}

/** In the words in which it was told. */
async function planEntry(
  context: OperationContext,
  given: Told,
  alike: readonly Hit[],
  also: readonly Change[],
): Promise<MemoryPlan> {
  const id = idOf(context, given);
  const store = given.store === 'semantic' ? 'episodic' : (given.store ?? 'episodic');
  const related = store === 'episodic' ? relatedOf(alike) : [];
  const placed = placeMemory(context, { ...given, store, scope: given.scope }, { id, related });
  const { path } = placed;
  const { change, known, heardBefore } = await saidOnce(context, { ...given, store }, { ...placed, id });
  return {
    summary: `remembered "${shorten(given.text)}"`,
    changes: [change, ...also],
    // The user's own words ask for the vault: that is the approval it needs, whichever agent carries them.
    isApproved: store === 'vault' && given.trust === 'user' && given.source === 'user-explicit',
    describe: (result) => {
      const written = describe(result, { id: known.id ?? id, store, path });
      return known.id === undefined ? written : { ...written, warnings: [...written.warnings, heardBefore] };
    },
  };
}

/** Loaded already for whatever is compared with entries, which is when it is needed. */
async function saidOnce(
  context: OperationContext,
  given: Told & { readonly store: string },
  { change, id }: { readonly change: Change; readonly id: string },
): Promise<{ readonly change: Change; readonly known: { id: string | undefined }; readonly heardBefore: string }> {
  const isImmediate = given.strategy === undefined || given.strategy === 'immediate';
  if (given.store !== 'episodic' || given.scope !== 'shared' || !isImmediate) {
    return { change, known: { id: undefined }, heardBefore: '' };
  }
  const { sayOnce, HEARD_BEFORE } = await import('./extract/confirm-entry.ts');
  return { ...sayOnce(context, change, { ...given, id }), heardBefore: HEARD_BEFORE };
}

/** Similar entries of other days, for a statement that goes to an entry of its day itself. */
async function findAlike({ search }: OperationContext, { text, store, scope }: Told): Promise<readonly Hit[]> {
  const isEntry = store === undefined || store === 'episodic' || store === 'semantic';
  if (!isEntry || scope !== 'shared') return [];
  const { findAlikeEntries } = await import('../extract/heard-again.ts');
  return findAlikeEntries(search, text);
}

/** Entries that are about the same thing: those are looked at together (S1 §4.3). */
function relatedOf(alike: readonly Hit[]): readonly string[] {
  const near = alike.filter(({ evidence }) => (evidence.similarity ?? 0) >= RELATED).map(({ id }) => id);
  return near.slice(0, MAX_RELATED);
}

const MAX_RELATED = 3;
/** Texts at least this similar usually belong together; unrelated day entries of one person reach .74. */
const RELATED = 0.78;

/** The same wish of the same turn has the same id, so that fulfilling it again after a crash adds nothing. */
function idOf({ random }: OperationContext, { session, turn, text }: Told): string {
  if (session === undefined || turn === undefined) return newItemId((length) => random.bytes(length));
  const hash = createHash('sha256').update(`${session}#${turn}\n${text}`).digest();
  return newItemId((length) => hash.subarray(0, length));
}

/** A statement that some day's entry already has is not stored twice: that entry records the confirmation. */
async function planHeardAgain(
  context: OperationContext,
  given: Told,
  texts: readonly string[],
  alike: readonly Hit[],
): Promise<MemoryPlan | undefined> {
  const isImmediate = given.strategy === undefined || given.strategy === 'immediate';
  if (alike.length === 0 || !isImmediate) return undefined;
  const { planConfirmation } = await import('./extract/confirm-entry.ts');
  for (const text of new Set(texts)) {
    const plan = planConfirmation(context, { ...given, text }, alike);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

/** Files it by what it says, where nothing else was asked for; see `file-by-words.ts`. */
async function planByWords(context: OperationContext, given: Told): Promise<Filing | undefined> {
  const isOpenQuestion = given.store === undefined || given.store === 'semantic';
  if (!isOpenQuestion || given.scope !== 'shared' || given.type !== 'fact') return undefined;
  if (given.strategy !== undefined && given.strategy !== 'immediate') return undefined;
  // Loaded when something is to be judged: it is much more than writing down a line takes.
  const { planFiling } = await import('./extract/file-by-words.ts');
  try {
    return await planFiling(context, given);
  } catch (error) {
    // A damaged model must not cost a memory: it is kept in the words in which it was told, and `doctor` names the file.
    if (isMnemeError(error, 'integrity')) return undefined;
    throw error;
  }
}

function describe(result: CommitResult | undefined, memory: Pick<Remembered, 'id' | 'store' | 'path'>): Described {
  const document = parseDocument(result?.files[0]?.text ?? '');
  const index = document.blocks.findIndex((block) => block.id === memory.id);
  const range = memory.store === 'episodic' ? findEpisodeEntry(document, memory.id) : blockLineRanges(document)[index];
  return {
    ...memory,
    // None when another process wrote these very words a moment before.
    mutation: result?.mutation ?? '',
    startLine: range?.startLine ?? 1,
    endLine: range?.endLine ?? 1,
    commit: null,
    warnings: result?.warnings ?? [],
  };
}
