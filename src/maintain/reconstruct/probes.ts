import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { DerivedItem } from './derived-items.ts';
import { parseJson } from '../../model/parse-json.ts';

/** A question, and words that a right answer holds. */
export interface Probe {
  readonly question: string;
  readonly expect: readonly string[];
}

const probeSchema = z.object({
  question: z.string().trim().min(1),
  expect: z.union([
    z
      .string()
      .min(1)
      .transform((word) => [word]),
    z.array(z.string().min(1)).min(1),
  ]),
});

/** JSON lines: `{"question": "Where does Vera live?", "expect": ["Graz"]}`. */
export function parseProbes(text: string, file: string): Probe[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const parsed = probeSchema.safeParse(parseJson(line));
      if (parsed.success) return parsed.data;
      throw new MnemeError('usage', `${file}:${number} is no probe.`, {
        hint: 'One a line: {"question": "Where does Vera live?", "expect": ["Graz"]}',
      });
    });
}

const MAX_PROBES = 200;

/**
 * Questions made of what is known: a property that both sides, or one of them, state of somebody or something. What
 * both were told to keep asks nothing about either.
 */
export function probesFrom(items: readonly DerivedItem[], nameOf: (path: string) => string | undefined): Probe[] {
  const probes = new Map<string, Probe>();
  for (const { path, text, meta } of items) {
    const [attribute, value] = [asText(meta, 'attribute'), asText(meta, 'value')];
    const name = nameOf(path);
    if (attribute === undefined || value === undefined || name === undefined || text.startsWith('~~')) continue;
    const question = `What is the ${attribute.replaceAll(/[_-]+/gu, ' ')} of ${name}?`;
    probes.set(`${question}\n${value}`, { question, expect: [value] });
  }
  return [...probes.values()].slice(0, MAX_PROBES);
}

function asText(meta: DerivedItem['meta'], key: string): string | undefined {
  const value: unknown = Object.entries(meta).find(([name]) => name === key)?.[1];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether one of the answers holds all that was expected. */
export function isAnswered({ expect }: Probe, answers: readonly string[]): boolean {
  return answers.some((answer) => {
    const said = answer.toLowerCase();
    return expect.every((word) => said.includes(word.toLowerCase()));
  });
}
