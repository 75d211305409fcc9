import type { SecretRule, SecretSpan } from './rule.ts';
import { looksLikePassword, looksRandom } from './values.ts';

/** The heading of a column that holds secrets, alone or behind a word (`DB password`). */
const PASSWORD_COLUMN =
  /^(?:[\p{L}\p{N}_-]{1,20}[ _-])?(?:password|passwd|pass|pwd|pw|passphrase|passcode|passwort|kennwort|contraseña|clave|mot de passe|mdp)$/iu;
const SECRET_COLUMN =
  /^(?:[\p{L}\p{N}_-]{1,20}[ _-])?(?:secret|token|api[ _-]?key|apikey|access[ _-]?key|secret[ _-]?key|api-schlüssel|clave api|clé api|jeton)$/iu;
const PIN_COLUMN = /^(?:[\p{L}\p{N}_-]{1,20}[ _-])?(?:pin|puk|pin code|code pin|código pin)$/iu;

type Judge = (value: string) => 'password' | 'secret' | 'pin' | undefined;

function judgeOf(heading: string): Judge | undefined {
  if (PASSWORD_COLUMN.test(heading)) return (value) => (looksLikePassword(value) ? 'password' : undefined);
  if (SECRET_COLUMN.test(heading)) return (value) => (looksRandom(value) ? 'secret' : undefined);
  if (PIN_COLUMN.test(heading)) return (value) => (/^\d{4,8}$/u.test(value) ? 'pin' : undefined);
  return undefined;
}

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** Cells without the blanks, quotes and stars around them, and where each begins. */
function splitCells(line: string, separator: string, offset: number): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (const raw of line.split(separator)) {
    const inner = /^[\s"'`*]*(?<text>.*?)[\s"'`*]*$/su.exec(raw)?.groups?.['text'] ?? '';
    cells.push({ text: inner, start: offset + at + raw.indexOf(inner) });
    at += raw.length + separator.length;
  }
  return cells;
}

const RULE_LINE = /^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\r?$/u;

/** What separates the columns of a heading; tables of Markdown have a line of dashes below it. */
function separatorOf(heading: string, next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  if (heading.includes('|')) return RULE_LINE.test(next) ? '|' : undefined;
  return ['\t', ';', ','].find((one) => {
    const columns = heading.split(one).length;
    return columns > 1 && next.split(one).length === columns;
  });
}

const COLUMN_SIGN = /pass|pwd|pw|kennwort|contraseña|clave|mdp|secret|token|key|schlüssel|clé|jeton|pin|puk/iu;

/** Columns of tables, in Markdown or separated by commas, semicolons or tabs, that are called a password or a secret. */
export const tableRule: SecretRule = {
  *find(text) {
    const lines = text.split('\n');
    let offset = 0;
    for (const [at, line] of lines.entries()) {
      const next = lines[at + 1];
      const isCandidate = line.length < 2000 && /[|,;\t]/u.test(line) && COLUMN_SIGN.test(line);
      const separator = isCandidate ? separatorOf(line, next) : undefined;
      if (separator !== undefined) {
        const judges = splitCells(line, separator, 0).map((cell) => judgeOf(cell.text));
        if (judges.some((judge) => judge !== undefined))
          yield* findInRows(lines, { at: at + 1, offset: offset + line.length + 1 }, separator, judges);
      }
      offset += line.length + 1;
    }
  },
};

function* findInRows(
  lines: readonly string[],
  from: { readonly at: number; readonly offset: number },
  separator: string,
  judges: readonly (Judge | undefined)[],
): Iterable<SecretSpan> {
  let { offset } = from;
  for (const line of lines.slice(from.at)) {
    const cells = splitCells(line, separator, offset);
    if (cells.length !== judges.length) return;
    for (const [column, { text, start }] of cells.entries()) {
      const rule = judges[column]?.(text);
      if (rule !== undefined) yield { rule, start, end: start + text.length, shownPrefix: '' };
    }
    offset += line.length + 1;
  }
}
