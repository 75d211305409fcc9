/** Pages whose `console` blocks are one story: what is typed stands after `$ `, and below it what was answered. */

export interface ConsoleBlock {
  /** Where the block's content begins and ends in the page. */
  readonly from: number;
  readonly to: number;
  readonly steps: readonly ConsoleStep[];
}

export interface ConsoleStep {
  readonly command: string;
  /** The lines of the answer as the page has them. */
  readonly answer: readonly string[];
}

const BLOCK = /^```console\n([\s\S]*?)^```$/gmu;
/** Stands for any number of lines that a page leaves out. */
const LEFT_OUT = '…';

export function readConsoleBlocks(page: string): ConsoleBlock[] {
  return [...page.matchAll(BLOCK)].map((match) => {
    const content = match[1] ?? '';
    const from = match.index + '```console\n'.length;
    return { from, to: from + content.length, steps: readSteps(content) };
  });
}

function readSteps(content: string): ConsoleStep[] {
  const steps: { command: string; answer: string[] }[] = [];
  for (const line of content.replace(/\n$/u, '').split('\n')) {
    if (line.startsWith('$ ')) steps.push({ command: line.slice(2), answer: [] });
    else steps.at(-1)?.answer.push(line);
  }
  return steps;
}

/** The page with each answer replaced by what was answered; an answer that differs in nothing but ids and times stays. */
export async function playConsole(page: string, run: (command: string) => Promise<string>): Promise<string> {
  let played = '';
  let end = 0;
  for (const { from, to, steps } of readConsoleBlocks(page)) {
    played += page.slice(end, from);
    for (const { command, answer } of steps) {
      const said = (await run(command)).trimEnd();
      const lines = said === '' ? [] : said.split('\n').map((line) => line.trimEnd());
      const isSame = matches(answer.map(withoutChance), lines.map(withoutChance));
      played += [`$ ${command}`, ...(isSame ? answer : lines), ''].join('\n');
    }
    end = to;
  }
  return played + page.slice(end);
}

/** Ids, times, scores and amounts of bytes: they are other ones in every run. */
function withoutChance(line: string): string {
  return line
    .replaceAll(/\b(?:20\d\d-\d\d(?:-\d\d)?|20XX)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/gu, 'DATE')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ 20\d\d\b/gu, 'DAY')
    .replaceAll(/DATE\/\d\d\/\d\d\/\d{4}|\b20\d\d\/\d\d\/\d\d\/\d{4}/gu, 'FOLDER')
    .replaceAll(/\b\d\d:\d\d\b/gu, 'TIME')
    .replaceAll(/--confirm \w+/gu, '--confirm CODE')
    .replaceAll(/\b0\.\d\d\b/gu, 'SCORE')
    .replaceAll(
      /\b[0-9A-HJKMNP-TV-Z]{26}\b|\b(?=[0-9A-Z]*\d)[0-9A-Z]{6,10}\b|\b[A-Z0-9]{8}\b(?= {2,}\w)|\b(?=[0-9a-z]*\d)[0-9a-z]{9,16}\b/gu,
      'ID',
    )
    .replaceAll(/\b\d{8}T\d{9}Z\.\w+/gu, 'COPY')
    .replaceAll(/\b\d+ of \d+ tokens\b/gu, 'N tokens')
    .replaceAll(/ {2,}/gu, ' ');
}

function matches(shown: readonly string[], said: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return said.length === 0;
  if (first === LEFT_OUT && rest.length === 0) return said.length > 0;
  if (first === LEFT_OUT) return said.some((_, at) => matches(rest, said.slice(at + 1)));
  return first === said[0] && matches(rest, said.slice(1));
}
