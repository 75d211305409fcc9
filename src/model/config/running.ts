import { z } from 'zod';
import { isScope } from '../provenance.ts';
import { schedule } from './cron.ts';
import { choice, decimal, ENVIRONMENT_NAME, flag, integer, text, textList } from './values.ts';

/** Running by itself and talking to others. */

export const scheduler = () =>
  z
    .strictObject({
      enabled: flag(true, 'Run the jobs below while the daemon runs.'),
      catch_up: flag(true, 'Run a job that was missed while the machine was off, once, when it is on again.'),
      jitter_seconds: integer(
        30,
        'A job starts up to so many seconds late, always the same for one home: not all of them at once.',
        {
          max: 3600,
        },
      ),
      max_job_minutes: integer(120, 'A job that takes longer is told to stop; the next run goes on.', {
        min: 1,
        max: 1440,
      }),
      index: schedule('45 * * * *', 'Compare the index with the files and make missing vectors.'),
      extract: schedule(
        '20 * * * *',
        'End quiet sessions and extract what waits (`extract.trigger` other than `manual`).',
      ),
      checkpoint: schedule('0 */3 * * *', 'Save flagged content of live sessions; does nothing when there is none.'),
      daily: schedule('0 3 * * *', 'Journal, patterns, facts, graph (S0: 23:00, S2: 02:00; at three the day is over).'),
      weekly: schedule('0 2 * * 0', 'Core, procedures, archives, report (S0 prunes on Sunday at midnight).'),
      monthly: schedule('0 1 1 * *', 'Review of projects and people, graph, retention.'),
      reflect: schedule('30 3 * * *', 'Reflect if a week has passed or enough has happened (S4: 03:00).'),
      chain: schedule('0 11 * * 0', 'Verify and anchor the chain.'),
      tags: schedule('5 0 * * *', 'Tag the day that just ended, if it changed anything.'),
      decay: schedule('40 3 * * *', 'Write down what was used, propose to archive what has faded.'),
      archive: schedule('20 4 * * *', 'Pack old archived files and transcripts.'),
      backup: schedule('0 4 * * *', 'Back up the home.'),
      explore_prune: schedule('30 4 * * *', 'Prune old `explore/*` branches.'),
      maintenance: schedule('30 5 * * 0', 'Keep the histories packed and fast.'),
      triggers: schedule('* * * * *', 'Run procedures and activate topics whose `cron` has come due.'),
      push: schedule('*/30 * * * *', 'Push and pull the remotes.'),
    })
    .prefault({})
    .describe('Cron expressions in the home’s time zone; null switches a job off.');

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
      max_body_bytes: integer(2_097_152, 'Largest request.', { min: 1024 }),
      max_requests_per_minute: integer(6000, 'Requests a minute from one token; 0: no limit.'),
      timeout_ms: integer(30_000, 'Longest time for one request.', { min: 100, max: 600_000 }),
      threads: integer(1, 'Threads that answer searches beside the main one; each takes some 100 MB.', { max: 8 }),
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
      watch_files: flag(true, 'Notice edits made outside Mneme at once instead of at the next command.'),
      heartbeat_seconds: integer(30, 'Seconds between signs of life.', { min: 1, max: 3600 }),
      log_level: choice(['error', 'warn', 'info', 'debug'], 'info', 'What the log holds.'),
      log_keep_days: integer(14, 'Days of log kept.', { min: 1, max: 3650 }),
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
