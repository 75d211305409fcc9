import path from 'node:path';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { asksPrivacy } from '../../capture/triggers/privacy.ts';
import { isPrivateEnvironment } from '../../platform/environment.ts';
import type { BriefingInput } from '../../operations/briefing.ts';
import { readPlainFile } from '../../platform/plain-file.ts';
import { refuseSecretId } from '../../workspace/safety/clean-name.ts';
import { ToldStore } from '../../compile/told-store.ts';
import { isScope } from '../../model/provenance.ts';
import type { Mneme } from '../../mneme.ts';
import { type HookInput, sessionOf } from './hook-input.ts';
import type { LogFormat } from '../../exchange/import/port.ts';
import type { HookAgentName } from '../../runtime/connect/hook-agents.ts';
import type { HookHome } from './hook-home.ts';
import type { HookAnswer } from './report.ts';
import type { Telling } from './tell-wishes.ts';

const NOTHING: HookAnswer = { context: undefined, notes: [] };

/** Of a longer text Claude Code shows the model only the first 2 KB, and puts the rest into a file nobody reads. */
const MAX_CONTEXT_CHARS = 9900;

/** Fits the characters above. */
const MAX_TOKENS = 2400;

/** People paste whole files into prompts; what they ask stands at the beginning or at the end. */
const MAX_QUESTION_CHARS = 8000;

/** As agents name them; whatever else one may come to say is a start like any other. */
const START_SOURCES = ['startup', 'resume', 'clear', 'compact'] as const;

/** Undefined when it may take long without a pause and `mayBlock` is not set. */
export async function answerHook(input: HookInput, home: HookHome, mayBlock: boolean): Promise<HookAnswer | undefined> {
  const session = await sessionOf(input);
  if (session !== undefined) await refuseSecretId(home.sessionsHome.redactor, session, 'id of the session');
  if (await isPrivateSession(input, home)) return answerInPrivate(input, home, mayBlock);
  switch (input.event) {
    case 'SessionStart':
      return brief(home, await startRequest(input, home), mayBlock);
    case 'UserPromptSubmit': {
      const request = await promptRequest(input, home);
      return request === undefined ? NOTHING : brief(home, request, mayBlock);
    }
    case 'Stop':
      return captureOn(input, home);
    case 'PreCompact':
      return beforeCompaction(input, home, mayBlock);
    case 'SessionEnd':
      return endSession(input, home);
  }
}

/** Whether the session is private; makes it so where the environment or the prompt asks for it. */
async function isPrivateSession(input: HookInput, home: HookHome): Promise<boolean> {
  const session = await sessionOf(input);
  if (session === undefined) return isPrivateEnvironment();
  if (home.sessions.isPrivate(session)) return true;
  const isAsked = isPrivateEnvironment() || saysPrivate(input);
  if (isAsked && !home.isReadOnly) await home.sessions.makePrivate(session, { channel: input.agent.name });
  return isAsked;
}

function saysPrivate({ event, prompt = '' }: HookInput): boolean {
  return event === 'UserPromptSubmit' && asksPrivacy(prompt);
}

const PRIVATE_CONTEXT =
  'The user made this session private: nothing said in it is kept. Do not write anything of it to memory.';
const PRIVATE_NOTE = 'this session is private: nothing said in it is kept or learned from.';

/** Memory is still injected; nothing is captured, and the end only closes the session. */
async function answerInPrivate(input: HookInput, home: HookHome, mayBlock: boolean): Promise<HookAnswer | undefined> {
  const { event } = input;
  const session = await sessionOf(input);
  if (event === 'SessionEnd' && session !== undefined && !home.isReadOnly) await home.sessions.end(session);
  if (event !== 'SessionStart' && event !== 'UserPromptSubmit') return NOTHING;
  const request = event === 'SessionStart' ? await startRequest(input, home) : await promptRequest(input, home);
  const answer = request === undefined ? NOTHING : await brief(home, request, mayBlock);
  if (answer === undefined || (event !== 'SessionStart' && !saysPrivate(input))) return answer;
  const context = [PRIVATE_CONTEXT, answer.context].filter((part) => part !== undefined).join('\n\n');
  return { ...answer, context, notes: [PRIVATE_NOTE, ...answer.notes] };
}

async function startRequest(input: HookInput, home: HookHome): Promise<BriefingInput> {
  return {
    ...(await placeOf(input)),
    preset: 'hook',
    budget: budgetOf(home),
    event: 'session-start',
    source: START_SOURCES.find((source) => source === input.source) ?? 'startup',
  };
}

/** Undefined when nothing is to be added to prompts. */
async function promptRequest(input: HookInput, home: HookHome): Promise<BriefingInput | undefined> {
  const { hooks } = home.settings.config;
  const prompt = input.prompt?.trim() ?? '';
  if (!hooks.inject_context || prompt === '') return undefined;
  return {
    ...(await placeOf(input)),
    message: cutMiddle(prompt),
    preset: 'hook',
    budget: budgetOf(home),
    event: 'prompt',
  };
}

/** The token limit of a hook's context, at the start of a session and for a prompt alike. */
function budgetOf({ settings }: HookHome): number {
  return Math.min(settings.config.context.presets.hook_tokens, MAX_TOKENS);
}

/** Which session, and in which project: what is the project's own is for whoever works in its folder. */
async function placeOf(input: HookInput): Promise<Pick<BriefingInput, 'session' | 'project' | 'scope' | 'maxChars'>> {
  const project = projectNames(input.folder);
  const scope = `project:${project[0] ?? ''}`;
  return {
    session: await sessionOf(input),
    project,
    ...(isScope(scope) ? { scope } : {}),
    maxChars: MAX_CONTEXT_CHARS,
  };
}

async function brief(home: HookHome, request: BriefingInput, mayBlock: boolean): Promise<HookAnswer | undefined> {
  const [{ briefing }, { runOperation }, { indexReady }, mneme] = await Promise.all([
    import('../../operations/briefing.ts'),
    import('../../operations/operation.ts'),
    import('../../operations/search/index-ready.ts'),
    home.openToRead(),
  ]);
  const isReady = await runOperation(indexReady, mneme.internals, {});
  home.begin(isReady ? 'search' : 'index');
  if (!mayBlock && !isReady) return undefined;
  const { prompt, notes } = await runOperation(briefing, mneme.internals, request);
  const telling = await tell(home, request.session);
  const waiting = request.event === 'session-start' ? await seeToWaiting(home, mneme) : [];
  const context = [telling?.text, prompt].filter((part) => part !== undefined && part !== '').join('\n\n');
  const told =
    telling === undefined || telling.count === 0 || request.session === undefined
      ? undefined
      : { session: request.session, count: telling.count };
  return { context: context === '' ? undefined : context, notes: [...notes, ...waiting], told };
}

/** One or two will be learned from by whatever stays next; more than that shows that nothing does. */
const MANY_WAITING = 3;

/** Resumes work left by a crash, a pause or an empty battery; where that is not allowed, tells the user. */
async function seeToWaiting(home: HookHome, { internals }: Mneme): Promise<readonly string[]> {
  const { config, workspace, clock } = internals;
  if (config.extract.trigger === 'manual') return [];
  const [waiting, { runOperation }, { findProgress }, { findPause }, { isWorkerAllowed }] = await Promise.all([
    import('../../operations/extract/waiting.ts'),
    import('../../operations/operation.ts'),
    import('../../operations/background/progress.ts'),
    import('../../operations/background/pause.ts'),
    import('../../operations/background/background-worker.ts'),
  ]);
  const { waitingConversations, countWanted, MAX_LOOKED_AT } = waiting;
  const counted = await runOperation(waitingConversations, internals, { lookedAt: MAX_LOOKED_AT });
  const wanted = countWanted(config, counted);
  const { state } = workspace.paths;
  if (findPause(workspace.paths.journal, clock) === undefined && isWorkerAllowed(config)) {
    const isLeft = (findProgress(state)?.left.passages ?? 0) > 0 || wanted > 0;
    if (isLeft) await home.startWorker();
    return [];
  }
  if (wanted < MANY_WAITING) return [];
  return [`${MANY_WAITING} or more conversations wait to be learned from: mneme learn extract.`];
}

/** Reports the outcomes of the user's requests since the last time, if there were any. */
async function tell(home: HookHome, session: string | undefined): Promise<Telling | undefined> {
  if (session === undefined || home.isReadOnly || !home.hasWishes(session)) return undefined;
  const { tellFulfilled } = await import('./tell-wishes.ts');
  return tellFulfilled(home, session);
}

/** Takes over what was said since the last time. Cheap: it reads on where it stopped, and appends. */
async function capture(input: HookInput, home: HookHome): Promise<HookAnswer> {
  if (input.transcriptPath === undefined) return { ...NOTHING, notes: ['the input names no transcript_path.'] };
  if (home.isReadOnly) return { ...NOTHING, notes: ['a newer Mneme made this home; update this one to write to it.'] };
  const { captureLog } = await import('../../operations/session/capture-log.ts');
  home.begin('log');
  try {
    await expectWishes(input, home);
    const file = input.transcriptPath;
    const format = await formatOf(input.agent.name);
    const { session, turns } = await captureLog(home.sessionsHome, home.sessions, { file, format });
    if (turns > 0) await home.sessions.exportBufferSometimes(session);
    if (turns === 0 && !home.hasWishes(session)) return NOTHING;
    const { fulfilCaptured } = await import('./wishes.ts');
    return { ...NOTHING, notes: await fulfilCaptured(home, session) };
  } catch (error) {
    // A session in which nothing was said has no log, and that is nothing to worry anybody with.
    if (isMnemeError(error, 'not-found')) return NOTHING;
    throw error;
  }
}

/** Undefined for the usual one, which capturing brings along. */
async function formatOf(agent: HookAgentName): Promise<LogFormat | undefined> {
  if (agent === 'codex') return (await import('../../exchange/import/codex.ts')).codex;
  return agent === 'gemini' ? (await import('../../exchange/import/gemini.ts')).gemini : undefined;
}

async function expectWishes(input: HookInput, home: HookHome): Promise<void> {
  const { transcriptPath } = input;
  const session = await sessionOf(input);
  if (session === undefined || transcriptPath === undefined || home.hasWishes(session)) return;
  if (!home.sessionsHome.fs.exists(transcriptPath)) return;
  const wishes = await import('./wishes.ts');
  await wishes.expectWishes(home, session);
}

/** Captures a turn, which shows that the session goes on, even after a supposed end. */
async function captureOn(input: HookInput, home: HookHome): Promise<HookAnswer> {
  const session = await sessionOf(input);
  if (!home.isReadOnly && session !== undefined) home.sessions.forgetEnd(session);
  return capture(input, home);
}

/**
 * Before the agent's window is emptied: everything said is kept, and what it was told may be told again. What matters is saved
 * only where somebody allows the time for it, and no model has to be asked; otherwise the session's end does it.
 */
async function beforeCompaction(input: HookInput, home: HookHome, mayBlock: boolean): Promise<HookAnswer | undefined> {
  const captured = await captureOn(input, home);
  const session = await sessionOf(input);
  if (home.isReadOnly || session === undefined) return captured;
  const { fs, paths, clock } = home.sessionsHome;
  await new ToldStore(fs, paths.journal).forget(session, clock.now());
  const { hooks, reasoner } = home.settings.config;
  const isWanted = hooks.flush_before_compaction && reasoner.provider === 'heuristic';
  if (!isWanted || !home.sessions.isOpen(session)) return captured;
  // Judging a long conversation never pauses: in a thread of its own it can be left behind, and what it wrote stays.
  if (!mayBlock) return undefined;
  home.begin('flush');
  const [{ flushToEmpty }, { runOperation }, { internals }] = await Promise.all([
    import('../../operations/working/flush.ts'),
    import('../../operations/operation.ts'),
    home.openToWrite(),
  ]);
  const { notes } = await runOperation(flushToEmpty, internals, { session });
  return { ...captured, notes: [...captured.notes, ...notes] };
}

async function endSession(input: HookInput, home: HookHome): Promise<HookAnswer> {
  const session = await sessionOf(input);
  // Before anything that may have to wait: if time runs out, whoever comes next knows that there is an end to make.
  if (!home.isReadOnly && session !== undefined) home.sessions.noteEnd(session);
  const captured = await capture(input, home);
  if (home.isReadOnly || session === undefined) return captured;
  const notes = [...captured.notes];
  home.begin('transcript');
  try {
    await home.sessions.end(session);
    await home.closeIdleSessions();
    await home.startWorker();
  } catch (error) {
    notes.push(`the transcript waits to be finished: ${errorMessage(error)} The next session’s end does it.`);
  }
  return { context: undefined, notes };
}

function cutMiddle(prompt: string): string {
  if (prompt.length <= MAX_QUESTION_CHARS) return prompt;
  const half = MAX_QUESTION_CHARS / 2;
  return `${prompt.slice(0, half)}\n…\n${prompt.slice(-half)}`.toWellFormed();
}

/** A folder this deep in its repository is no project anybody works in. */
const MAX_LEVELS = 12;

/** No repository's own settings are near this; the folder may be anybody's. */
const MAX_CONFIG_BYTES = 1024 * 1024;

/**
 * Names the project in a folder: by its repository on the server, which is the same on every machine, by the
 * folder of the repository, and by the folder itself. Read from git's own file: starting git would cost more than the
 * rest of the hook.
 */
export function projectNames(folder: string | undefined): string[] {
  if (folder === undefined || !path.isAbsolute(folder)) return [];
  const repository = findRepository(folder);
  const names = [
    path.basename(folder),
    ...(repository === undefined ? [] : [path.basename(repository.folder), ...remoteNames(repository.config)]),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

function findRepository(folder: string): { readonly folder: string; readonly config: string } | undefined {
  let current = folder;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const file = path.join(current, '.git', 'config');
    // A work tree beside its repository has a file there, and no config of its own.
    const config = readPlainFile(file, MAX_CONFIG_BYTES);
    // One that cannot be read still shows where the repository begins.
    if (config.kind !== 'missing') {
      return { folder: current, config: config.kind === 'bytes' ? config.bytes.toString('utf8') : '' };
    }
    const parent = path.dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
  return undefined;
}

/** `git@host:owner/harbour-api.git` and `https://host/owner/harbour-api` are both harbour-api. */
function remoteNames(config: string): string[] {
  const origin = originOf(config);
  const name = origin
    ?.split(/[/:\\]/u)
    .findLast((part) => part !== '')
    ?.replace(/\.git$/u, '');
  return name === undefined || name === '' ? [] : [name];
}

/** Line by line: one pattern over the whole text would take minutes for a large one that is made for it. */
function originOf(config: string): string | undefined {
  let isOrigin = false;
  for (const line of config.split('\n')) {
    const text = line.trim();
    if (text.startsWith('[')) isOrigin = text.startsWith('[remote "origin"]');
    const equals = text.indexOf('=');
    if (!isOrigin || equals === -1 || text.slice(0, equals).trim() !== 'url') continue;
    const url = text.slice(equals + 1).trim();
    if (url !== '' && !/\s/u.test(url)) return url;
  }
  return undefined;
}
