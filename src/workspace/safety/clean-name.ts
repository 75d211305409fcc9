import { hash } from 'node:crypto';
import { MnemeError } from '../../model/errors.ts';
import type { Redactor } from './redact.ts';

/** Ids of our own and universally unique ones; looking at those for secrets would cost every hook of a session. */
const OWN_ID = /^(?:ses_)?[0-9a-z]{1,13}$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u;

/** Refuses an id that holds a secret: ids reach file names, trailers and other programs as they are, and cannot be redacted. */
export async function refuseSecretId(redactor: Redactor, id: string, what: string): Promise<void> {
  if (OWN_ID.test(id)) return;
  const [first] = (await redactor.redact(id)).findings;
  if (first === undefined) return;
  throw new MnemeError('refused', `The ${what} holds what looks like a secret (${first.rule}).`, {
    hint: 'Choose another one.',
  });
}

const HASH_DIGITS = 8;

/**
 * A path from elsewhere without the secrets in its names, before other names are made of it: in lower case and with dashes
 * no rule would know them. A hash keeps two apart that differed only there.
 */
export async function cleanPath(redactor: Redactor, relative: string): Promise<string> {
  const segments: string[] = [];
  for (const segment of relative.split('/')) {
    const [, stem = segment, extension = ''] = /^(.+?)(\.(?:md|markdown|[a-z0-9]{1,5}))?$/iu.exec(segment) ?? [];
    const { text, findings } = await redactor.redact(stem);
    const mark = findings.length === 0 ? '' : `-${hash('sha256', segment).slice(0, HASH_DIGITS)}`;
    segments.push(`${text.replaceAll(/\[redacted:([a-z0-9-]+)\]/gu, 'redacted-$1')}${mark}${extension}`);
  }
  return segments.join('/');
}

/** Fields from which names, ids and headings are made. */
const NAMING = new Set(
  (
    'name title topic topics alias aliases summary project user channel model tag tags label why reason rationale ' +
    'entity entities from to description properties relation type task procedure evidence'
  ).split(' '),
);

/** Fields that are names already: of files, scopes and records. */
const IDENTIFYING: Readonly<Record<string, string>> = {
  session: 'id of the session',
  id: 'id',
  scope: 'scope',
  context: 'id of the context',
  branch: 'name of the branch',
};

/** Cleans a verb's input: secrets are taken out of its names before any other name, id or path is made of them. */
export async function cleanNames<T>(redactor: Redactor, input: T): Promise<T> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(input)) {
    const what = IDENTIFYING[key];
    if (what !== undefined && typeof value === 'string') await refuseSecretId(redactor, value, what);
    entries.push([key, NAMING.has(key) ? await cleanDeep(redactor, value) : value]);
  }
  return entries.every(([key, value]) => value === input[key as keyof T]) ? input : (Object.fromEntries(entries) as T);
}

/** Takes the secrets out of every text of a value, before it becomes one text in which lines and quotes look different. */
export async function cleanDeep(redactor: Redactor, value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await redactor.redact(value)).text;
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((item: unknown) => cleanDeep(redactor, item)));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    entries.push([(await redactor.redact(key)).text, await cleanDeep(redactor, item)]);
  }
  const isSame = entries.every(([key, item]) => item === (value as Record<string, unknown>)[key]);
  return isSame ? value : Object.fromEntries(entries);
}
