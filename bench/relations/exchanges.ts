import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { must } from '../../src/model/errors.ts';

const triple = z.object({ subject: z.string(), relation: z.string(), object: z.string() });

const exchangeSchema = z.object({
  turns: z.array(z.object({ role: z.string(), text: z.string() })).min(1),
  expect: z.array(triple.extend({ family: z.string() })).default([]),
  notExpect: z.array(triple).default([]),
});

/** What was said, which relations it states, and which a careless reader would write. */
export type Exchange = z.output<typeof exchangeSchema>;

/** Reads exchanges from `.json`, or from a `.txt` in the form of training/data/relations. */
export function readExchanges(file: string): Exchange[] {
  const text = fs.readFileSync(file, 'utf8');
  if (path.extname(file) === '.json') return z.array(exchangeSchema).parse(JSON.parse(text));
  return text
    .trim()
    .split(/\n\s*\n/u)
    .map(parseBlock);
}

function parseBlock(block: string): Exchange {
  const lines = block.split('\n');
  const behind = (sign: string): string[] =>
    lines.filter((line) => line.startsWith(`${sign} `)).map((line) => line.slice(2));
  const triplesBehind = (sign: string): Exchange['notExpect'] =>
    behind(sign).map((line) => {
      const [subject = '', relation = '', object = ''] = line.split('|').map((part) => part.trim());
      return { subject, relation, object };
    });
  return {
    turns: [
      ...behind('<').map((said) => ({ role: 'assistant', text: said })),
      { role: 'user', text: must(behind('>')[0], `a message in "${lines[0]}"`) },
    ],
    expect: triplesBehind('+').map((each) => ({ ...each, family: each.relation })),
    notExpect: triplesBehind('-'),
  };
}
