/** Rules of the user about the memory itself. Only a person changes these files, and search leaves them out. */
export const IGNORE_FILE = 'memory/meta/ignore.md';
export const FEEDBACK_FILE = 'memory/meta/feedback.md';

export function isControlFile(path: string): boolean {
  return path === IGNORE_FILE || path === FEEDBACK_FILE;
}

const BULLET = /^\s{0,3}[-*+]\s+(?<item>\S.*?)\s*$/u;

/** The list items of such a file; whatever else a person writes there is text. */
export function listItems(text: string): string[] {
  return text.split('\n').flatMap((line) => BULLET.exec(line)?.groups?.['item'] ?? []);
}

/** The file with one more item at the end of its list. */
export function withItem(text: string | undefined, heading: string, item: string): string {
  const before = text === undefined || text.trim() === '' ? heading : text;
  return `${before.trimEnd()}\n${listItems(before).length === 0 ? '\n' : ''}- ${item}\n`;
}

/** The file without the items that `isGone` names. */
export function withoutItems(text: string, isGone: (item: string) => boolean): string {
  const isKept = (line: string): boolean => {
    const item = BULLET.exec(line)?.groups?.['item'];
    return item === undefined || !isGone(item);
  };
  return text.split('\n').filter(isKept).join('\n');
}
