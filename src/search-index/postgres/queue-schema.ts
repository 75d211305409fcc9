import { hash } from 'node:crypto';

/** Of a longer name only the beginning: the queue's own library takes no more than fifty letters. */
const MOST_LETTERS = 30;

/** Where the jobs of a memory wait: a schema for each, so that no role sees another's and all of it can be erased at once. */
export function queueSchema(schema: string, namespace: string): string {
  return `${schema.slice(0, MOST_LETTERS)}_jobs_${hash('sha256', `${schema}\0${namespace}`).slice(0, 12)}`;
}
