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

/** Finds the separator of a heading's columns; tables of Markdown have a line of dashes below it. */
function separatorOf(heading: string, next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  if (heading.includes('|')) return RULE_LINE.test(next) ? '|' : undefined;
  return ['\t', ';', ','].find((one) => {
    const columns = heading.split(one).length;
    return columns > 1 && next.split(one).length === columns;
  });
}

/** No table that a person wrote has longer lines. */
const MAX_LINE = 2000;
const COLUMN_SIGN = /pass|pwd|pw|kennwort|contraseña|clave|mdp|secret|token|key|schlüssel|clé|jeton|pin|puk/iu;

/** A table's rows are looked through once, whatever else in them could be a heading. */
function findTable(
  lines: readonly string[],
  at: number,
): { separator: string; judges: (Judge | undefined)[] } | undefined {
  const line = lines[at] ?? '';
  const isCandidate = line.length < MAX_LINE && /[|,;\t]/u.test(line) && COLUMN_SIGN.test(line);
  const separator = isCandidate ? separatorOf(line, lines[at + 1]) : undefined;
  if (separator === undefined) return undefined;
  const judges = splitCells(line, separator, 0).map((cell) => judgeOf(cell.text));
  return judges.some((judge) => judge !== undefined) ? { separator, judges } : undefined;
}

/** Columns of tables, in Markdown or separated by commas, semicolons or tabs, that are called a password or a secret. */
export const tableRule: SecretRule = {
  *find(text): Iterable<SecretSpan> {
    if (!COLUMN_SIGN.test(text)) return;
    const lines = text.split('\n');
    let offset = 0;
    let table: ReturnType<typeof findTable>;
    for (const [at, line] of lines.entries()) {
      const cells = table === undefined ? [] : splitCells(line, table.separator, offset);
      if (table === undefined || cells.length !== table.judges.length) table = findTable(lines, at);
      else {
        for (const [column, cell] of cells.entries()) {
          const rule = table.judges[column]?.(cell.text);
          if (rule !== undefined)
            yield { rule, start: cell.start, end: cell.start + cell.text.length, shownPrefix: '' };
        }
      }
      offset += line.length + 1;
    }
  },
};
