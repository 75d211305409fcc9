import path from 'node:path';
import { isMnemeError } from '../../../src/model/errors.ts';
import type { Mneme } from '../../../src/mneme.ts';
import type { OperationContext } from '../../../src/operations/context.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import type { Verb } from '../../../src/operations/verb.ts';
import { VERBS } from '../../../src/verb-registry/verbs.generated.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';
import { inputsOf, TARGET } from './twins/inputs.ts';
import { contextOf, drawAnew, PRIVATE, SCOPE, type TwinWorld } from './twins/world.ts';

const verbs = await Promise.all(VERBS.map(({ load }) => load()));

/** Everybody who is outside of the scope, by role and by what they are bound to. */
const OUTSIDERS: readonly (readonly [actor: string, confinedTo?: OperationContext['confinedTo']])[] = [
  ['reader:eye'],
  ['subagent:spy'],
  ['reader:eye', 'project:zeus'],
  ['subagent:spy', 'project:zeus'],
  ['bot:main', 'project:zeus'],
  ['manual', 'project:zeus'],
  ['bot:main', 'shared'],
];

/**
 * How rare a word is depends on everything in the index, so scores and chances differ in their decimals: docs/threat-model.md says
 * so. Whole numbers must not.
 */
const SCORES = /"(?:score|semantic|lexical|coverage|tookMs|elapsedMs|weight)":-?[\d.]+|-?\d+\.\d+(?:e-?\d+)?/gu;

/** What differs between any two homes, and says nothing of what is in them. */
function withoutMarks(text: string, mneme: Mneme): string {
  return text
    .replaceAll(mneme.internals.home, 'HOME')
    .replaceAll(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/gu, 'HASH')
    .replaceAll(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/gu, 'ULID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'TIME')
    .replaceAll(SCORES, 'SCORE')
    .replaceAll(/\b(?:ses_)?[0-9a-z]{13}\b/gu, 'ID')
    .replaceAll(/-[0-9a-z]{5,6}\.md\b/gu, '-ID.md')
    .replaceAll(/index [0-9a-f]{7,}\.\.[0-9a-f]{7,}/gu, 'index HASHES')
    .replaceAll(/"code":"[0-9A-Z]{6}"/gu, '"code":"CODE"');
}

async function ask(
  mneme: Mneme,
  verb: Verb,
  [actor, confinedTo]: (typeof OUTSIDERS)[number],
  input: object,
): Promise<string> {
  const target = path.join(makeTemporaryFolder(), 'out');
  const given = JSON.parse(JSON.stringify(input).replaceAll(TARGET, target)) as object;
  // Writes that may wait are answered when they are written.
  const flushing = setInterval(() => void mneme.internals.writes.flush(), 20);
  const said = await answerOf(() => runOperation(verb, contextOf(mneme, actor, confinedTo), given));
  clearInterval(flushing);
  return withoutMarks(said.replaceAll(target, TARGET), mneme);
}

/** Their order follows from their scores. */
function withHitsByPlace(key: string, value: unknown): unknown {
  if (key !== 'hits' || !Array.isArray(value)) return value;
  return value.toSorted((one: Hit, other: Hit) => placeOf(one).localeCompare(placeOf(other)));
}

interface Hit {
  readonly path?: string;
  readonly startLine?: number;
}

function placeOf({ path: file = '', startLine = 0 }: Hit): string {
  return `${file}:${startLine}`;
}

async function answerOf(run: () => Promise<unknown>): Promise<string> {
  try {
    return `answered ${JSON.stringify(await run(), withHitsByPlace)}`;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return `${error.code}: ${error.message} ${error.hint ?? ''}`;
  }
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 120);
  return `without: ${one.slice(from, at + 120)}\nwith: ${other.slice(from, at + 120)}`;
}

/** Above the seeds that the homes were filled with. */
let questions = 1000;

function verbCase(verb: Verb): RedTeamCase<TwinWorld> {
  return attack(`${verb.name}, by every role from every other scope`, async ({ plain, secret, known }) => {
    for (const input of inputsOf(verb, known)) {
      const asked = JSON.stringify(input);
      for (const who of OUTSIDERS) {
        questions += 1;
        drawAnew(questions);
        const without = await ask(plain, verb, who, input);
        drawAnew(questions);
        const with_ = await ask(secret, verb, who, input);
        const says = `${who.join(' in ')} by ${asked}`;
        if (without !== with_) return `${says} can tell: ${firstDifference(without, with_)}`;
        const news = with_.replaceAll(known.hidden['path'] ?? '', '');
        if (PRIVATE.test(news))
          return `${says} was told: ${news.slice(Math.max(0, news.search(PRIVATE) - 200)).slice(0, 400)}`;
      }
    }
    return undefined;
  });
}

/** The two homes do differ, and these verbs say so to who may know. */
const TELLING: Readonly<Record<string, object>> = {
  recall: { query: 'the word of Apollo', scope: SCOPE },
  context: { message: 'What is the word of Apollo?', scope: SCOPE },
  log: { limit: 200 },
  audit: { limit: 200 },
  status: {},
  diff: {},
  'files list': {},
  'graph list': { scope: SCOPE },
  'archive list': { scope: SCOPE },
};

function tellingCase([name, input]: readonly [string, object]): RedTeamCase<TwinWorld> {
  return control(`${name} tells the main agent, who sees everything, which home is which`, async (world) => {
    const verb = verbs.find((one) => one.name === name);
    if (verb === undefined) return 'there is no such verb';
    const answers = [];
    for (const mneme of [world.plain, world.secret]) answers.push(await ask(mneme, verb, ['bot:main'], input));
    return answers[0] === answers[1] ? answers[0]?.slice(0, 300) : undefined;
  });
}

export const TWINS: Family<TwinWorld> = {
  title: 'Outside of a scope, no verb tells whether anything is in it',
  cases: [...verbs.map(verbCase), ...Object.entries(TELLING).map(tellingCase)],
};
