import { z } from 'zod';
import { STORES } from '../provenance.ts';
import {
  choice,
  environmentName,
  flag,
  gitRemote,
  innerPath,
  integer,
  fraction,
  optionalText,
  text,
  textList,
  textMatching,
} from './values.ts';

/** Where things live and how they are written: files, git, limits, the write path, backups. */

export const workspace = () =>
  z
    .strictObject({
      path: text('workspace', 'Folder of the Markdown files: relative to the home, or absolute for an adopted folder.'),
      git_dir: optionalText(
        'Git directory of the workspace; null: `.git` inside it, or outside in the home when adopted.',
      ),
      layout: choice(
        ['mneme', 'openclaw', 'vault', 'custom'],
        'mneme',
        'Which built-in table says what store a file belongs to; `custom` uses `workspace.patterns` alone.',
      ),
      patterns: z
        .record(z.string().min(1), z.enum([...STORES, 'ignore']))
        .meta({ allowed: `a table of path pattern: store, a store being one of ${[...STORES, 'ignore'].join(', ')}` })
        .default({})
        .describe('Path patterns that come before the layout’s own, such as `daily/*.md: journal`.'),
    })
    .prefault({})
    .describe('The folder of Markdown files.');

// Git's author line ends the name at "<" and the address at ">".
const AUTHOR_PART = /^[^<>\p{Cc}]*[^<>\p{Cc}\s][^<>\p{Cc}]*$/u;
const AUTHOR_ALLOWED = 'a line of text without < and >';

export const git = () =>
  z
    .strictObject({
      cadence: choice(
        ['mutation', 'batch'],
        'mutation',
        'One commit per change, or one per interval. S0 batches; one each can be blamed and undone singly.',
      ),
      batch_interval_minutes: integer(30, 'How long `batch` gathers changes before it commits.', { min: 1, max: 1440 }),
      branch: textMatching(
        /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*$/,
        'a branch name of letters, digits, _ - . and /',
        'main',
        'Branch that holds the memory.',
      ),
      remote: gitRemote('Repository the workspace is pushed to and pulled from; null keeps it on this machine.'),
      raw_remote: gitRemote('The same for the transcripts.'),
      chain_remote: gitRemote('The same for the provable history.'),
      auto_push: flag(true, 'Push on `scheduler.push`; does nothing while no remote is set.'),
      auto_tag_daily: flag(true, 'Tag the state of each day that changed anything as `memory/daily/DATE`.'),
      private_scopes: choice(
        ['withhold', 'encrypt'],
        'withhold',
        'What a remote receives of private scopes: nothing, or only cipher text.',
      ),
      encryption_key_env: environmentName('MNEME_ENCRYPTION_KEY', 'Variable with the key that `encrypt` uses.'),
      hooks: flag(true, 'Install git hooks that check a person’s own commits in the workspace.'),
      author_name: textMatching(AUTHOR_PART, AUTHOR_ALLOWED, 'Mneme', 'Name on the commits Mneme makes.'),
      author_email: textMatching(
        AUTHOR_PART,
        AUTHOR_ALLOWED,
        'mneme@localhost',
        'E-mail address on the commits Mneme makes.',
      ),
      explore_keep_days: integer(7, 'Days after which an unmerged `explore/*` branch is pruned.', {
        min: 1,
        max: 3650,
      }),
    })
    .prefault({})
    .describe('Version control of the workspace, the transcripts and the chain.');

export const limits = () =>
  z
    .strictObject({
      max_file_bytes: integer(4_194_304, 'Largest workspace file that is written or indexed.', { min: 4096 }),
      max_message_bytes: integer(1_048_576, 'Largest message or tool result taken into a session.', { min: 1024 }),
      max_item_bytes: integer(65_536, 'Largest single memory; more text belongs in a reference file.', { min: 256 }),
      max_attachment_bytes: integer(104_857_600, 'Largest attachment kept with the transcripts.'),
      max_blocks: integer(50_000, 'Most blocks (paragraphs, items, headings) merged in one file.', { min: 100 }),
      max_changes: integer(1000, 'Most files changed in one atomic group.', { min: 1 }),
      max_path_chars: integer(240, 'Longest path inside the workspace; Windows stops at 260 in all.', {
        min: 60,
        max: 4096,
      }),
      roll_file_bytes: integer(32_768, 'Size at which an episode or execution file continues in a next part.', {
        min: 1024,
      }),
    })
    .prefault({})
    .describe('Sizes past which something is refused, naming the limit.');

export const writes = () =>
  z
    .strictObject({
      strategy: choice(
        ['immediate', 'batched', 'deferred', 'conditional'],
        'immediate',
        'When a memory is written. S2 batches because its write waits for an embedder; ours takes milliseconds.',
      ),
      batch_size: integer(10, 'Waiting memories after which `batched` writes.', { min: 1, max: 1000 }),
      batch_interval_seconds: integer(30, 'Longest time a memory waits under `batched`.', { min: 1, max: 3600 }),
      deferred_idle_seconds: integer(60, 'Quiet time after which `deferred` writes.', { min: 1, max: 86_400 }),
      conditional_min_importance: fraction(0.3, 'Importance below which `conditional` leaves a memory unwritten.'),
      immediate_min_importance: fraction(0.8, 'Importance from which a memory is written at once under any strategy.'),
    })
    .prefault({})
    .describe('When a memory reaches the disk.');

export const redaction = () =>
  z
    .strictObject({
      enabled: flag(true, 'Replace keys, tokens and passwords before any text is written.'),
      allow: z
        .array(z.string().min(1).refine(isLiteralOrRegex))
        .meta({ allowed: 'a list of literal texts or /regular expressions/' })
        .default([])
        .describe('Texts that only look like secrets: literal, or a pattern between slashes such as `/^test-/`.'),
    })
    .prefault({})
    .describe('Keeping secrets out of memory.');

/** A text between slashes is a pattern and has to compile; anything else is taken literally. */
function isLiteralOrRegex(entry: string): boolean {
  const pattern = /^\/(.+)\/([imsu]*)$/.exec(entry);
  if (pattern === null) return true;
  try {
    return new RegExp(pattern[1] ?? '', pattern[2]) instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export const backup = () =>
  z
    .strictObject({
      enabled: flag(true, 'Make a backup on `scheduler.backup`.'),
      path: text('backups', 'Folder of the backups: relative to the home, or absolute (another disk is better).'),
      incremental: flag(true, 'Let the nightly one store only what is new; off, it is one whole file every time.'),
      encrypt: flag(false, 'Seal every backup for the keys of `mneme keys`; the nightly one is then a whole file.'),
      keep_count: integer(7, 'Backups kept; the oldest goes first.', { min: 1, max: 1000 }),
      include_transcripts: flag(true, 'Include the transcripts; they are the largest part.'),
      verify: flag(true, 'Restore each backup into a scratch folder and compare before it counts as made.'),
    })
    .prefault({})
    .describe('Copies of the home.');

export const archive = () =>
  z
    .strictObject({
      path: innerPath('memory/archive', 'Folder in the workspace that archived files move to.'),
      folder_by: choice(
        ['month', 'year'],
        'month',
        'Whether the archive has a folder a month (2026-02) or a year (2026).',
      ),
      maintain_index: flag(true, 'Keep a list of what is archived, so that it can be found without unpacking.'),
      index_file: innerPath('index.json', 'Name of that list inside the archive folder.'),
      compression: choice(['gzip', 'none'], 'gzip', 'How files past their `compress_after_days` are packed.'),
      compression_level: integer(9, 'Effort of gzip: 1 fast, 9 small.', { min: 1, max: 9 }),
      compress: z
        .array(z.enum(['journal', 'episodes', 'sessions']))
        .meta({ allowed: 'a list of journal, episodes, sessions' })
        .default(['journal', 'episodes', 'sessions'])
        .describe('What is packed when it is old enough.'),
      never_compress: textList(
        ['MEMORY.md', 'USER.md', 'SOUL.md', 'IDENTITY.md', 'AGENTS.md', 'TOOLS.md'],
        'Files that always stay plain text. S1’s SEMANTIC.md and PROCEDURAL.md are folders here and never packed.',
      ),
    })
    .prefault({})
    .describe('Cold storage for what is archived.');
