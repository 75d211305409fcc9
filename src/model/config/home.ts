import { z } from 'zod';
import { STORES } from '../provenance.ts';
import { choice, flag, gitRemote, integer, optionalText, text, textMatching } from './values.ts';

/** Where things live and how they are written: files, git, limits, backups. */

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
        'Built-in table that says what store a file belongs to; `custom` uses `workspace.patterns` alone.',
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
        'One commit per change, or one per half hour for a shorter history that can be undone less finely.',
      ),
      branch: textMatching(
        /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*$/,
        'a branch name of letters, digits, _ - . and /',
        'main',
        'Branch that holds the memory; change it for an adopted folder that uses another.',
      ),
      remote: gitRemote('Repository the workspace is pushed to and pulled from; null keeps it on this machine.'),
      raw_remote: gitRemote('The same for the transcripts.'),
      chain_remote: gitRemote('The same for the provable history.'),
      private_scopes: choice(
        ['withhold', 'encrypt'],
        'withhold',
        'What a remote receives of private scopes: nothing, or only cipher text.',
      ),
      hooks: flag(true, 'Install git hooks that check your own commits in the workspace.'),
      author_name: textMatching(
        AUTHOR_PART,
        AUTHOR_ALLOWED,
        'Mneme',
        'Committer of what Mneme writes; the author is who acted, such as bot:main.',
      ),
      author_email: textMatching(
        AUTHOR_PART,
        AUTHOR_ALLOWED,
        'mneme@localhost',
        'E-mail address on the commits Mneme makes; use your own to have a forge show them as yours.',
      ),
    })
    .prefault({})
    .describe('Version control of the workspace, the transcripts and the chain.');

export const limits = () =>
  z
    .strictObject({
      max_file_bytes: integer(4_194_304, 'Largest text that is written or indexed; raise it for long notes.', {
        min: 4096,
      }),
      max_attachment_bytes: integer(
        4_194_304,
        'Largest image, PDF or other file that is no text; a larger one stays in the folder and out of history.',
      ),
    })
    .prefault({})
    .describe('Sizes past which something is refused, naming the limit.');

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
      path: text('backups', 'Folder of the backups: relative to the home, or absolute (another disk is better).'),
      encrypt: flag(
        false,
        'Seal every backup for the keys of `mneme sync keys`; the nightly one is then a whole file.',
      ),
      keep_count: integer(7, 'Backups kept; the oldest goes first.', { min: 1, max: 1000 }),
      include_transcripts: flag(true, 'Include the transcripts; they are the largest part.'),
    })
    .prefault({})
    .describe('Copies of the home, made on the schedule of the `backup` job.');
