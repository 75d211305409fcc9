import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
import type { Purpose } from '../port.ts';

export interface Prompt {
  readonly name: string;
  /** Part of what an answer is remembered by: a changed prompt asks anew. */
  readonly version: number;
  readonly text: string;
}

const loaded = new Map<Purpose, Prompt>();

export function readPrompt(purpose: Purpose): Prompt {
  let prompt = loaded.get(purpose);
  if (prompt === undefined) {
    prompt = parsePrompt(readFileSync(findPromptFile(purpose), 'utf8'), purpose);
    loaded.set(purpose, prompt);
  }
  return prompt;
}

/** `---`, name and version, `---`, and what the model is told. */
export function parsePrompt(text: string, purpose: Purpose): Prompt {
  const { head = '', body = '' } = /^---\n(?<head>[\s\S]*?)\n---\n(?<body>[\s\S]*)$/u.exec(text)?.groups ?? {};
  const name = /^name: (.+)$/mu.exec(head)?.[1];
  const version = Number(/^version: (\d+)$/mu.exec(head)?.[1]);
  if (name !== purpose || !Number.isInteger(version) || body.trim() === '') {
    throw new MnemeError('integrity', `The prompt for ${purpose} lacks its name, its version or its text.`, {
      hint: 'Install the package again.',
    });
  }
  return { name, version, text: body.trim() };
}

/** The folder stands above both this folder and the bundle's. */
function findPromptFile(purpose: Purpose): string {
  const name = `${purpose.replaceAll('_', '-')}.md`;
  const candidates = ['../assets/prompts/', '../../../assets/prompts/'].map((place) =>
    path.join(fileURLToPath(new URL(place, import.meta.url)), name),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `The prompt for ${purpose} is not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again, or set reasoner.provider to heuristic.',
  });
}
