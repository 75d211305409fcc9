import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isTimeZone } from '../time.ts';
import defaultValues from './defaults.json' with { type: 'json' };
import { backup, git, limits, redaction, workspace } from './home.ts';
import { capture, decay, extract, reflection, retention } from './lifecycle.ts';
import { gate, reasoner, watchers } from './reasoning.ts';
import { embedding, index, search } from './recall.ts';
import { daemon, hooks, scheduler, server, worker } from './running.ts';
import { agents, alerts, audit, chain, proposals } from './trust.ts';
import { choice, decimal, fraction, integer } from './values.ts';

/** Settings for the contents of a prompt, and for the size of core memory. */

const core = () =>
  z
    .strictObject({
      max_tokens: integer(3000, 'Most tokens MEMORY.md may hold; raise it when your agent’s window has room.', {
        min: 100,
        max: 100_000,
      }),
      max_lines: integer(200, 'Most lines MEMORY.md may hold; both limits apply.', { min: 10, max: 10_000 }),
      identity_tokens: integer(500, 'Most tokens for who the user is; the four parts together fit `max_tokens`.'),
      active_context_tokens: integer(1000, 'Most tokens for what is going on now.'),
      persona_tokens: integer(500, 'Most tokens for how to behave with this user.'),
      critical_facts_tokens: integer(1000, 'Most tokens for what must never be forgotten.'),
      warn_share: fraction(0.9, 'Share of a limit from which a write says that core memory is nearly full.'),
      refuse_share: decimal(1.1, 'Share of a limit above which your own addition is refused; machines stop at 1.', {
        min: 1,
        max: 10,
      }),
    })
    .prefault({})
    .describe('Core memory: MEMORY.md and its four blocks.');

const context = () =>
  z
    .strictObject({
      preset: choice(
        ['hook', 'dense', 'standard', 'large'],
        'dense',
        'Budget of a context whose caller names none: 1,500, 8,192, 32,768 or 200,000 tokens. Pick one that fits your model’s window.',
      ),
      presets: z
        .strictObject({
          hook_tokens: integer(
            1500,
            'Most tokens a hook adds to one message; lower it to save, raise it to tell more.',
            {
              min: 100,
            },
          ),
        })
        .prefault({})
        .describe('Budgets by name.'),
      min_relevance: fraction(
        0.65,
        'Chance that a message needs something remembered from which on a hook adds it: higher is quieter. See docs/context.md.',
      ),
      journal_days: integer(2, 'Days of journal loaded at the start of a session: 2 is today and yesterday.', {
        max: 31,
      }),
    })
    .prefault({})
    .describe('Compiling a prompt.');

// Generated from this schema (`npm run generate`), because building all of it only to know the defaults is slow.

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
