import type { Sources } from './structure.ts';

export interface Size {
  readonly lines: number;
  readonly generatedLines: number;
  /** Under 20 lines, everything counted. */
  readonly smallFiles: readonly string[];
  readonly comments: number;
  /** `file:line: text` of comments that begin with a question word or with no subject a reader knows. */
  readonly indirectComments: readonly string[];
}

const INDIRECT = /^(?:What|Who|Whose|Whom|How|Nobody|Somebody)\b/iu;

export function measureFiles(sources: Sources): Size {
  const size = {
    lines: 0,
    generatedLines: 0,
    smallFiles: [] as string[],
    comments: 0,
    indirectComments: [] as string[],
  };
  for (const [file, text] of sources) {
    const { lines, comments } = splitComments(text);
    size.lines += lines;
    if (file.includes('.generated.')) size.generatedLines += lines;
    if (text.split('\n').length - 1 < 20) size.smallFiles.push(file);
    size.comments += comments.length;
    const indirect = comments.filter(({ first }) => INDIRECT.test(first));
    size.indirectComments.push(...indirect.map(({ line, first }) => `${file}:${line}: ${first}`));
  }
  return size;
}

/** Lines of what makes the command line, without what a verb says of itself (`render` is part of the verb). */
export function countCommandLine(sources: Sources): number {
  const own = [...sources].filter(([file]) => /^src\/(?:interfaces\/cli|operations\/command-line)\//u.test(file));
  const { lines, generatedLines } = measureFiles(new Map(own));
  return lines - generatedLines;
}

interface Comment {
  readonly line: number;
  /** Its first line that says something. */
  readonly first: string;
}

/** Counts lines that hold code; neighbouring `//` lines are one comment. Formatted code has no comment between code on one line. */
function splitComments(text: string): { readonly lines: number; readonly comments: readonly Comment[] } {
  const comments: Comment[] = [];
  let lines = 0;
  let open: Comment | undefined;
  let wasLineComment = false;
  for (const [at, whole] of text.split('\n').entries()) {
    const line = whole.trim();
    const isLineComment = line.startsWith('//');
    if (open !== undefined) {
      const said = line.replace(/^\*\s?/u, '').replace(/\s*\*\/$/u, '');
      if (open.first === '') open = { line: open.line, first: said };
      if (line.endsWith('*/')) {
        comments.push(open);
        open = undefined;
      }
    } else if (isLineComment) {
      if (!wasLineComment) comments.push({ line: at + 1, first: line.slice(2).trim() });
    } else if (line.startsWith('/*')) {
      const comment = { line: at + 1, first: line.replace(/^\/\*+\s*/u, '').replace(/\s*\*\/$/u, '') };
      if (line.endsWith('*/')) comments.push(comment);
      else open = comment;
    } else if (line !== '') lines += 1;
    wasLineComment = isLineComment;
  }
  return { lines, comments };
}

const HELPER = /^(?:export )?(?:async )?function (\w+)\([\s\S]*?\n\}$/gmu;
/** Shorter ones are seldom worth an import. */
const MIN_LINES = 5;

/** `name: files` of functions whose text, their name apart, is in more than one file. */
export function findDuplicateHelpers(sources: Sources): string[] {
  const found = new Map<string, { readonly name: string; readonly files: string[] }>();
  for (const [file, text] of sources) {
    for (const [whole, name = ''] of text.matchAll(HELPER)) {
      const body = whole.slice(whole.indexOf('('));
      if (body.split('\n').length < MIN_LINES) continue;
      const known = found.get(body);
      if (known === undefined) found.set(body, { name, files: [file] });
      else known.files.push(file);
    }
  }
  return [...found.values()]
    .filter(({ files }) => files.length > 1)
    .map(({ name, files }) => `${name}: ${files.join(', ')}`);
}
