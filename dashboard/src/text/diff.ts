/** Unified diffs as people read them: files, lines, and within a changed line the words that differ. */
export interface DiffFile {
  readonly path: string;
  readonly action: 'created' | 'deleted' | 'renamed' | 'changed';
  readonly from: string | undefined;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: 'same' | 'add' | 'cut' | 'gap';
  readonly parts: readonly DiffPart[];
}

export interface DiffPart {
  readonly text: string;
  readonly isChanged: boolean;
}

export function parseUnified(text: string, path = ''): DiffFile[] {
  const files: DraftFile[] = [];
  let file: DraftFile | undefined;
  let left = { cut: 0, add: 0 };
  for (const line of text.split('\n')) {
    const isInside = left.cut > 0 || left.add > 0;
    if (isInside && file !== undefined && /^[-+ ]|^$/u.test(line)) {
      left = take(file, line, left);
      continue;
    }
    if (line.startsWith('\\')) continue;
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u.exec(line);
    if (hunk !== null) {
      file ??= begin(files, path);
      if (file.lines.length > 0) file.lines.push({ kind: 'gap', text: '' });
      left = { cut: Number(hunk[1] ?? 1), add: Number(hunk[2] ?? 1) };
      continue;
    }
    file = readHeader(files, file, line) ?? file;
  }
  return files.map(finish);
}

interface DraftFile {
  path: string;
  from: string | undefined;
  isCreated: boolean;
  isDeleted: boolean;
  isGit: boolean;
  readonly lines: { kind: DiffLine['kind']; text: string }[];
}

function begin(files: DraftFile[], path: string, isGit = false): DraftFile {
  const file: DraftFile = { path, from: undefined, isCreated: false, isDeleted: false, isGit, lines: [] };
  files.push(file);
  return file;
}

function take(file: DraftFile, line: string, left: { cut: number; add: number }): { cut: number; add: number } {
  const text = line.slice(1);
  if (line.startsWith('+')) {
    file.lines.push({ kind: 'add', text });
    return { cut: left.cut, add: left.add - 1 };
  }
  if (line.startsWith('-')) {
    file.lines.push({ kind: 'cut', text });
    return { cut: left.cut - 1, add: left.add };
  }
  file.lines.push({ kind: 'same', text });
  return { cut: left.cut - 1, add: left.add - 1 };
}

/** The file that lines after this one belong to, when this begins another. */
function readHeader(files: DraftFile[], file: DraftFile | undefined, line: string): DraftFile | undefined {
  const git = /^diff --git (?:"?a\/)(.*?)"? (?:"?b\/)(.*?)"?$/u.exec(line);
  if (git !== null) return begin(files, git[2] ?? '', true);
  const old = /^--- (?:a\/)?(.*)$/u.exec(line);
  if (old !== null) {
    const next = file === undefined || (!file.isGit && file.lines.length > 0) ? begin(files, '') : file;
    if (old[1] === '/dev/null') next.isCreated = true;
    else if (next.path === '') next.path = old[1] ?? '';
    return next;
  }
  const fresh = /^\+\+\+ (?:b\/)?(.*)$/u.exec(line);
  if (fresh !== null && file !== undefined) {
    if (fresh[1] === '/dev/null') file.isDeleted = true;
    else file.path = (fresh[1] ?? file.path).replace(/\t.*$/u, '');
    return file;
  }
  if (file === undefined) return undefined;
  if (line.startsWith('new file')) file.isCreated = true;
  if (line.startsWith('deleted file')) file.isDeleted = true;
  if (line.startsWith('rename from ')) file.from = line.slice('rename from '.length);
  return file;
}

function finish({ path, from, isCreated, isDeleted, lines }: DraftFile): DiffFile {
  const action = isCreated ? 'created' : isDeleted ? 'deleted' : from === undefined ? 'changed' : 'renamed';
  return { path, from, action, lines: markWords(lines) };
}

/** Pairs the lines that were taken out with those put in their place, and marks the words that differ. */
function markWords(lines: readonly { kind: DiffLine['kind']; text: string }[]): DiffLine[] {
  const marked: DiffLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const cuts = run(lines, at, 'cut');
    const adds = run(lines, at + cuts.length, 'add');
    if (cuts.length === 0 && adds.length === 0) {
      const line = lines[at];
      if (line !== undefined) marked.push({ kind: line.kind, parts: [{ text: line.text, isChanged: false }] });
      at += 1;
      continue;
    }
    const pairs = cuts.map((cut, index) => wordDiff(cut, adds[index]));
    for (const { before } of pairs) marked.push({ kind: 'cut', parts: before });
    for (const [index, add] of adds.entries()) {
      marked.push({ kind: 'add', parts: pairs[index]?.after ?? [{ text: add, isChanged: false }] });
    }
    at += cuts.length + adds.length;
  }
  return marked;
}

function run(
  lines: readonly { kind: DiffLine['kind']; text: string }[],
  from: number,
  kind: DiffLine['kind'],
): string[] {
  const found: string[] = [];
  for (let at = from; lines[at]?.kind === kind; at += 1) found.push(lines[at]?.text ?? '');
  return found;
}

/** Leaves the shared beginning and end plain; with little in common, nothing is marked. */
function wordDiff(before: string, after: string | undefined): { before: DiffPart[]; after: DiffPart[] } {
  const plain = (text: string): DiffPart[] => [{ text, isChanged: false }];
  if (after === undefined) return { before: plain(before), after: [] };
  const old = before.split(/(?<=\s)|(?=\s)/u);
  const fresh = after.split(/(?<=\s)|(?=\s)/u);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  if ((start + end) * 3 < Math.max(old.length, fresh.length)) return { before: plain(before), after: plain(after) };
  return { before: splitParts(old, start, end), after: splitParts(fresh, start, end) };
}

function splitParts(words: readonly string[], start: number, end: number): DiffPart[] {
  const parts = [
    { text: words.slice(0, start).join(''), isChanged: false },
    { text: words.slice(start, words.length - end).join(''), isChanged: true },
    { text: words.slice(words.length - end).join(''), isChanged: false },
  ];
  return parts.filter(({ text }) => text !== '');
}
