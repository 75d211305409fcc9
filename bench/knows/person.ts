import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const need = z.object({
  say: z.string(),
  /** Lower case; all of these, and one of each group of `anyOf`, stand in one injected block. */
  allOf: z.array(z.string()).default([]),
  anyOf: z.array(z.array(z.string())).default([]),
  evidence: z.array(z.tuple([z.string(), z.string()])).default([]),
});
const mustNot = z.object({
  allOf: z.array(z.string()),
  unless: z.array(z.string()).default([]),
  why: z.string().default(''),
});
const project = z
  .string()
  .nullish()
  .transform((name) => (name === '' || name === '-' ? undefined : (name ?? undefined)));

const personSchema = z.object({
  person: z.object({ name: z.string(), about: z.string() }),
  sessions: z.array(
    z.object({
      id: z.string(),
      started: z.string(),
      project,
      turns: z.array(z.object({ id: z.string(), role: z.enum(['user', 'assistant', 'tool']), text: z.string() })),
    }),
  ),
  prompts: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      project,
      needs: z.array(need).default([]),
      mustNot: z.array(mustNot).default([]),
      kind: z.string(),
      at: z.string(),
    }),
  ),
  sessionStart: z
    .array(
      z.object({
        id: z.string(),
        at: z.string(),
        project,
        needs: z.array(need),
        mustNot: z.array(mustNot).default([]),
      }),
    )
    .default([]),
});

export type Person = z.output<typeof personSchema> & { readonly id: string };
export type PersonPrompt = Person['prompts'][number];
export type SessionStart = Person['sessionStart'][number];
export type Need = z.output<typeof need>;
export type MustNot = z.output<typeof mustNot>;

/** Each JSON file of a folder is a person: their conversations, and prompts of months later with what they need. */
export function readPeople(folder: string): readonly Person[] {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => ({
    ...personSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'))),
    id: path.basename(name, '.json'),
  }));
}
