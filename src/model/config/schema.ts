import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isTimeZone } from '../time.ts';
import { context, core } from './compile.ts';
// Generated from this schema (`npm run generate`), because building all of it only to know the defaults is slow.
import defaultValues from './defaults.json' with { type: 'json' };
import { backup, git, limits, redaction, workspace } from './home.ts';
import { capture, decay, extract, reflection, retention } from './lifecycle.ts';
import { gate, reasoner, watchers } from './reasoning.ts';
import { embedding, index, search } from './recall.ts';
import { daemon, hooks, scheduler, server, worker } from './running.ts';
import { agents, alerts, audit, chain, proposals } from './trust.ts';

/** The format of mneme.yaml and of the home it describes; raised only together with a migration. */
export const CURRENT_FORMAT = 1;

/** Decided by `init` and part of what every dated file means, so `config set` refuses to change them. */
export const FIXED_KEYS: readonly string[] = ['format', 'time_zone'];

const BUILDERS = {
  // A file without the key is older than the key; `defaultConfig` is what a new home has.
  format: () =>
    z.int().min(0).default(0).describe('Version of the home’s format; written by `init` and by migrations.'),
  time_zone: () =>
    z
      .string()
      .refine(isTimeZone)
      .meta({ allowed: 'an IANA time zone such as Europe/Berlin' })
      .default('UTC')
      .describe('Time zone in which a day begins; fixed by `init`, because dated files depend on it.'),
  workspace,
  git,
  limits,
  redaction,
  capture,
  extract,
  core,
  index,
  embedding,
  search,
  reasoner,
  watchers,
  gate,
  context,
  reflection,
  decay,
  retention,
  proposals,
  agents,
  audit,
  alerts,
  chain,
  scheduler,
  server,
  hooks,
  daemon,
  worker,
  backup,
};

type Builders = typeof BUILDERS;
type Shape = { [Key in keyof Builders]: ReturnType<Builders[Key]> };

function buildShape(keys: readonly string[]): Shape {
  const built = Object.entries(BUILDERS).flatMap(([key, build]) => (keys.includes(key) ? [[key, build()]] : []));
  return Object.fromEntries(built) as Shape;
}

/**
 * All of mneme.yaml. Every key has a default, so the empty file is valid; no key that is not here is accepted, so a
 * typing error is reported instead of being ignored.
 */
function buildSchema() {
  return z.strictObject(buildShape(Object.keys(BUILDERS)));
}

let schema: ReturnType<typeof buildSchema> | undefined;

/** Built on first use: some three hundred validators are a good part of what starting a process costs. */
export function configSchema(): ReturnType<typeof buildSchema> {
  schema ??= buildSchema();
  return schema;
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

export type Config = DeepReadonly<z.output<ReturnType<typeof buildSchema>>>;

/**
 * Checks a parsed file. Only the sections it has are built; the others are their defaults, and a short-lived process
 * would spend more time on them than on everything else. For the same reason zod must not compile the schema.
 */
export function checkConfig(tree: unknown): z.ZodSafeParseResult<z.output<ReturnType<typeof buildSchema>>> {
  const keys = typeof tree === 'object' && tree !== null && !Array.isArray(tree) ? Object.keys(tree) : undefined;
  if (keys?.every((key) => Object.hasOwn(BUILDERS, key)) === true) {
    const given = z.strictObject(buildShape(keys)).safeParse(tree, { jitless: true });
    if (given.success)
      return { success: true, data: { ...copyDefaults(), ...given.data, format: given.data.format ?? 0 } };
  }
  return configSchema().safeParse(tree, { jitless: true });
}

function copyDefaults(): z.output<ReturnType<typeof buildSchema>> {
  return structuredClone(defaultValues) as z.output<ReturnType<typeof buildSchema>>;
}

let defaults: Config | undefined;

/** The configuration of a new home in UTC: one frozen object for everyone. */
export function defaultConfig(): Config {
  defaults ??= deepFreeze(copyDefaults());
  return defaults;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}

/** Names a configuration in receipts: equal for equal settings, whatever the file's order, comments and defaults. */
export function configHash(config: Config): string {
  return createHash('sha256').update(canonicalJson(config)).digest('hex').slice(0, 16);
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)));
  });
}
