import { z } from 'zod';
import { isScope } from '../provenance.ts';
import { choice, environmentName, flag, fraction, gitRemote, integer, optionalText, textList, days } from './values.ts';

/** Who may change what, who has to be asked, and what can be proved afterwards. */

export const proposals = () =>
  z
    .strictObject({
      auto_approve: flag(
        false,
        'Apply proposals of `agents.trusted` without asking; never their rewrites or deletions.',
      ),
      auto_approve_min_confidence: fraction(0.9, 'Confidence such a proposal needs.'),
      auto_archive: flag(false, 'Archive what decay, retention and garbage collection propose without asking.'),
      remind_after_days: days(7, 'Days after which an open proposal is mentioned again; 0: never.'),
    })
    .prefault({})
    .describe('Changes that wait for a yes.');

export const agents = () =>
  z
    .strictObject({
      review: choice(
        ['batch', 'automatic', 'manual'],
        'batch',
        'Who reviews sub-agents’ proposals: the main agent in batches, `proposals.auto_approve`, or a person.',
      ),
      review_at: choice(['session_start', 'session_end'], 'session_start', 'When `batch` reviews.'),
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
        'Files whose every change raises an alert (S4’s critical files, and the agent’s instructions).',
      ),
    })
    .prefault({})
    .describe('The trail of changes.');

export const alerts = () =>
  z
    .strictObject({
      enabled: flag(true, 'Report changes of critical files until a person acknowledges them.'),
      at_session_start: flag(true, 'Show open alerts to the agent when a session starts.'),
      external_edits: flag(true, 'Also report changes to any file that did not come through Mneme.'),
      max_diff_lines: integer(40, 'Lines of diff shown in an alert.', { max: 10_000 }),
    })
    .prefault({})
    .describe('What is brought to a person’s attention.');

export const chain = () =>
  z
    .strictObject({
      enabled: flag(true, 'Keep a signed, append-only record of what was known and when.'),
      transcripts: flag(true, 'Enter every finished transcript.'),
      min_importance: fraction(0.8, 'Importance from which a decision or commitment is entered by itself.'),
      checkpoint_entries: integer(100, 'Entries after which a signed checkpoint sums them up.', {
        min: 1,
        max: 100_000,
      }),
      accepted_keys: textList([], 'Fingerprints of keys that replaced a lost one, by your own doing.'),
      anchor: choice(['none', 'file', 'git', 'evm'], 'none', 'Where the signed head is left for someone else to hold.'),
      anchor_file: optionalText('File the head is appended to, for `file`.'),
      anchor_remote: gitRemote('Repository the head is pushed to, for `git`.'),
      anchor_rpc_url_env: environmentName('MNEME_EVM_RPC_URL', 'Variable with the node’s address, for `evm`.'),
      anchor_key_env: environmentName('MNEME_EVM_KEY', 'Variable with the key that pays, for `evm`.'),
    })
    .prefault({})
    .describe('Provable history.');
