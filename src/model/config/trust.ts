import { z } from 'zod';
import { isScope } from '../provenance.ts';
import { choice, flag, gitRemote, integer, optionalText, textList } from './values.ts';

/** Settings for permissions, approvals, and later proof. */

export const proposals = () =>
  z
    .strictObject({
      auto_approve: flag(
        false,
        'Apply proposals of `agents.trusted` without asking; never their rewrites or deletions.',
      ),
      auto_archive: flag(false, 'Archive what decay, retention and garbage collection propose without asking.'),
    })
    .prefault({})
    .describe('Changes that wait for your approval.');

export const agents = () =>
  z
    .strictObject({
      review: choice(
        ['batch', 'automatic', 'manual'],
        'batch',
        'Who reviews sub-agents’ proposals: the main agent in batches, `proposals.auto_approve`, or a person.',
      ),
      trusted: textList([], 'Names of sub-agents whose confident proposals may be approved automatically.'),
      scopes: z
        .record(z.string().regex(/^[\w.@-]{1,64}$/), z.array(z.string().refine(isScope)))
        .meta({ allowed: 'agents by name, each with a list of scopes, such as {researcher: [project:apollo]}' })
        .default({})
        .describe('Private scopes that sub-agents and readers may enter besides their own.'),
    })
    .prefault({})
    .describe('Several agents on one memory. No agent approves its own proposal.');

export const audit = () =>
  z
    .strictObject({
      retention_days: integer(90, 'Days of single lines in audit.log; older months become digests, git keeps all.', {
        min: 1,
        max: 36_500,
      }),
      critical_files: textList(
        ['SOUL.md', 'IDENTITY.md', 'AGENTS.md', 'mneme.yaml'],
        'Files whose every change raises an alert; add the ones that steer your agent.',
      ),
    })
    .prefault({})
    .describe('The trail of changes.');

export const alerts = () =>
  z
    .strictObject({
      enabled: flag(true, 'Report changes of critical files until you acknowledge them.'),
      at_session_start: flag(true, 'Show open alerts to the agent when a session starts.'),
      external_edits: flag(
        true,
        'Also report changes to any file that did not come through Mneme; off for a folder you edit daily.',
      ),
      max_diff_lines: integer(40, 'Lines of diff shown in an alert.', { max: 10_000 }),
    })
    .prefault({})
    .describe('What is brought to your attention.');

export const chain = () =>
  z
    .strictObject({
      enabled: flag(true, 'Keep a signed, append-only record of what was known and when.'),
      accepted_keys: textList([], 'Fingerprints of keys that replaced a lost one, by your own doing.'),
      anchor: choice(
        ['none', 'file', 'git', 'evm'],
        'none',
        'Where the signed head is left for someone else to hold; `evm` reads MNEME_EVM_RPC_URL and MNEME_EVM_KEY.',
      ),
      anchor_file: optionalText('File the head is appended to, for `file`.'),
      anchor_remote: gitRemote('Repository the head is pushed to, for `git`.'),
    })
    .prefault({})
    .describe('Provable history.');
