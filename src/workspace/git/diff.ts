import type { Git } from './git.ts';
import { LITERAL_PATHS } from './objects.ts';

export interface FileStats {
  readonly path: string;
  /** The former path, for a rename. */
  readonly from?: string | undefined;
  /** undefined for a binary file. */
  readonly addedLines: number | undefined;
  readonly removedLines: number | undefined;
}

export interface Diff {
  /** Unified, as `git diff` prints it. */
  readonly text: string;
  readonly files: readonly FileStats[];
}

/** Lists the changes from one commit to another. */
export async function diffBetween(git: Git, from: string, to: string, paths: readonly string[] = []): Promise<Diff> {
  // Plumbing, because the person's own diff settings must not shape what programs read.
  const compare = (format: readonly string[]): string[] => [
    'diff-tree',
    '-r',
    '-M',
    ...format,
    from,
    to,
    '--',
    ...paths,
  ];
  const text = await git.text(compare(['-p', '--src-prefix=a/', '--dst-prefix=b/']), LITERAL_PATHS);
  const fields = await git.fields(compare(['--numstat', '-z']), LITERAL_PATHS);
  return { text, files: parseNumstat(fields) };
}

/** `added⇥removed⇥path`; for a rename the path is empty and the old and the new one follow as fields of their own. */
function parseNumstat(fields: readonly string[]): FileStats[] {
  const files: FileStats[] = [];
  for (let index = 0; index < fields.length; index += 1) {
    const [, added = '', removed = '', path = ''] = /^([\d-]+)\t([\d-]+)\t(.*)$/s.exec(fields[index] ?? '') ?? [];
    const lines = { addedLines: lineCount(added), removedLines: lineCount(removed) };
    if (path !== '') files.push({ path, ...lines });
    else {
      files.push({ path: fields[index + 2] ?? '', from: fields[index + 1], ...lines });
      index += 2;
    }
  }
  return files;
}

export function lineCount(text: string): number | undefined {
  return text === '-' ? undefined : Number(text);
}
