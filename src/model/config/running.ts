import { z } from 'zod';
import { isScope } from '../provenance.ts';
import { choice, decimal, ENVIRONMENT_NAME, flag, integer, text, textList } from './values.ts';

const FIELDS = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  // 7 is Sunday too, as in every crontab.
  { min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
] as const;

type Field = (typeof FIELDS)[number];

/** Whether the text is a five-field cron expression: minute, hour, day of month, month, day of week. */
export function isCron(expression: string): boolean {
  const parts = expression.trim().split(/\s+/);
  return parts.length === FIELDS.length && FIELDS.every((field, index) => isCronField(parts[index] ?? '', field));
}

function isCronField(part: string, field: Field): boolean {
  return part.split(',').every((item) => {
    const [range = '', step, ...rest] = item.split('/');
    if (rest.length > 0 || (step !== undefined && !/^[1-9]\d{0,2}$/.test(step))) return false;
    if (range === '*') return true;
    const bounds = range.split('-').map((bound) => cronNumber(bound, field));
    const [from, to = from] = bounds;
    return bounds.length <= 2 && from !== undefined && to !== undefined && from <= to;
  });
}

function cronNumber(bound: string, field: Field): number | undefined {
  const named = field.names.findIndex((name) => name === bound.toLowerCase());
  if (named >= 0) return named + field.min;
  if (!/^\d{1,2}$/.test(bound)) return undefined;
  const value = Number(bound);
  return value >= field.min && value <= field.max ? value : undefined;
}

/** Running by itself and talking to others. */

/**
 * When each job runs unless the settings say otherwise, as cron expressions in the home's time zone. The night's jobs follow one
 * another from three o'clock, when the day is over and few people work: a day is condensed before anything looks back on it or
 * is backed up.
 */
export const JOB_TIMES = {
  index: '45 * * * *',
  extract: '20 * * * *',
  checkpoint: '*/5 * * * *',
  daily: '0 3 * * *',
  weekly: '0 2 * * 0',
  monthly: '0 1 1 * *',
  reflect: '30 3 * * *',
  chain: '0 11 * * 0',
  tags: '5 0 * * *',
  decay: '40 3 * * *',
  archive: '20 4 * * *',
  backup: '0 4 * * *',
  explore_prune: '30 4 * * *',
  maintenance: '30 5 * * 0',
  triggers: '* * * * *',
  push: '*/30 * * * *',
} as const;

export type JobName = keyof typeof JOB_TIMES;
const JOB_NAMES = Object.keys(JOB_TIMES) as [JobName, ...JobName[]];

export const scheduler = () =>
  z
    .partialRecord(
      z.enum(JOB_NAMES),
      z.string().refine(isCron).meta({ allowed: 'a cron expression such as "0 3 * * *"' }).nullable(),
    )
    .meta({
      allowed: `a table of job: cron expression or null, a job being one of ${JOB_NAMES.join(', ')}`,
      defaults: JOB_TIMES,
    })
    .default({})
    .describe(
      'When a job runs, in the home’s time zone, such as `daily: 0 4 * * *`; null switches it off. `mneme jobs` shows the times of all.',
    );

const token = z.strictObject({
  name: z.string().min(1),
  role: z.enum(['human', 'main', 'subagent', 'reader']),
  token_env: ENVIRONMENT_NAME,
  scope: z.string().refine(isScope).optional(),
});

export const server = () =>
  z
    .strictObject({
      host: text('127.0.0.1', 'Address to listen on; anything but loopback needs tokens.'),
      port: integer(6636, 'Port to listen on (MNEM on a telephone); 0: any free one.', { max: 65_535 }),
      tokens: z
        .array(token)
        .meta({ allowed: 'a list of {name, role: human|main|subagent|reader, token_env: VARIABLE, scope (optional)}' })
        .default([])
        .describe('Who may connect: each token stands in an environment variable and has a role.'),
      allowed_origins: textList([], 'Web pages other than the dashboard that may call the API.'),
      allowed_hosts: textList([], 'Host names other than the one listened on that requests may carry.'),
      max_requests_per_minute: integer(6000, 'Requests a minute from one token; 0: no limit.'),
      timeout_ms: integer(30_000, 'Longest time for one request; raise it where a language model answers slowly.', {
        min: 100,
        max: 600_000,
      }),
      dashboard: flag(true, 'Serve the dashboard.'),
      mcp_mode: choice(['full', 'proposer', 'read-only'], 'full', 'What an MCP client may do.'),
    })
    .prefault({})
    .describe('HTTP API, MCP and dashboard.');

export const hooks = () =>
  z
    .strictObject({
      timeout_ms: integer(2000, 'Longest time a hook may hold up the agent; then it lets it pass.', {
        min: 50,
        max: 60_000,
      }),
      inject_context: flag(true, 'Add memory to the prompt on each user message.'),
      flush_before_compaction: flag(
        false,
        'Save what matters in the PreCompact hook; takes a second or two, in which the agent waits. Otherwise at the session’s end.',
      ),
    })
    .prefault({})
    .describe('Hooks of agents such as Claude Code and OpenClaw.');

export const daemon = () =>
  z
    .strictObject({
      serve: flag(false, 'Serve the HTTP API, MCP and the dashboard as well (server.*).'),
    })
    .prefault({})
    .describe('The background process.');

export const worker = () =>
  z
    .strictObject({
      enabled: flag(
        true,
        'Let commands and hooks start a process that learns and embeds in the background, where no daemon runs. Off: processes that stay do it.',
      ),
      max_load: decimal(
        0.8,
        'Load of the machine, per core and without Mneme itself, from which background work makes pauses; 0: never.',
        { max: 1000 },
      ),
      min_battery_percent: integer(
        40,
        'On battery below this, background work waits; 0: never, 100: always when on battery.',
        { max: 100 },
      ),
    })
    .prefault({})
    .describe('Background work: learning from conversations and embedding passages, the newest first.');
