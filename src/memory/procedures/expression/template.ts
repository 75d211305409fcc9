import { evaluateText } from './evaluate.ts';
import { jsonText, type Json, type Variables } from './json.ts';
import { parseExpression } from './parse.ts';

const HOLE = /\{\{([\s\S]*?)\}\}/gu;
const ONLY_HOLE = /^\{\{([\s\S]*?)\}\}$/u;

/** `Good morning, {{user.name}}` with its holes filled; a text that is one hole keeps the type of what fills it. */
export function fillTemplate(template: string, variables: Variables): Json {
  const only = ONLY_HOLE.exec(template)?.[1];
  if (only !== undefined && !only.includes('{{')) return evaluateText(only.trim(), variables);
  return template.replaceAll(HOLE, (_whole, inner: string) => {
    const value = evaluateText(inner.trim(), variables);
    return value === null ? '' : jsonText(value);
  });
}

/** Throws for the first hole that cannot be read. */
export function checkTemplate(template: string): void {
  for (const [, inner = ''] of template.matchAll(HOLE)) parseExpression(inner.trim());
}
