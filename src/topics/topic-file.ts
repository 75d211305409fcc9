import { hash } from 'node:crypto';
import { RE2JS, RE2JSException } from 're2js';
import { MnemeError } from '../model/errors.ts';
import type { TopicTrigger } from '../model/schemas/topic.ts';
import type { Scope } from '../model/provenance.ts';
import { checkFile } from '../workspace/formats/findings.ts';
import { scopeOfPath, type Layout } from '../workspace/formats/layout.ts';
import { parseTopic, type Topic } from '../workspace/formats/topic.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { WatchedMessage } from './port.ts';

/** A topic file as the watchers know it. */
export interface WatchedTopic extends Topic {
  readonly path: string;
  /** Of the file's bytes: a topic that did not change need not be prepared again. */
  readonly contentHash: string;
  readonly scope: Scope;
  readonly description: string;
  readonly isEnabled: boolean;
  /** Problems in the file, in words with the line; the rest of it works all the same. */
  readonly findings: readonly string[];
}

/** Reads a topic file. Never throws on what a person wrote: what cannot be understood is a finding. */
export function readTopic(path: string, text: string, layout: Layout): WatchedTopic {
  const document = parseDocument(text);
  const topic = parseTopic(document, path);
  const described = document.frontmatter?.values?.['description'];
  return {
    ...topic,
    path,
    contentHash: hash('sha256', text),
    scope: scopeOfPath(path),
    description: typeof described === 'string' ? described.trim() : firstParagraph(topic.body),
    isEnabled: topic.frontmatter.enabled !== false,
    findings: [
      ...checkFile(path, text, layout).map(({ line, message }) => `${path}:${line}: ${message}`),
      ...topic.triggers.flatMap((trigger) => patternFinding(trigger, path)),
    ],
  };
}

function firstParagraph(body: string): string {
  const [first = ''] = body
    .replaceAll(/^#+ .*$/gmu, '')
    .trim()
    .split(/\n\s*\n/u);
  return first.replaceAll(/\s+/gu, ' ').trim().slice(0, 300).toWellFormed();
}

/** Patterns are matched in linear time, whoever wrote them and whatever the message; look-arounds cannot be. */
function patternFinding(trigger: TopicTrigger, path: string): string[] {
  if (trigger.type !== 'pattern') return [];
  const { unusable } = usableParts(trigger.match);
  return unusable.map(
    (part) => `${path}: the part "${part}" of a pattern is left out, because it cannot be matched in linear time.`,
  );
}

/** The alternatives of a pattern that can be run safely, and those that cannot. */
export function usableParts(pattern: string): { readonly usable: string | undefined; readonly unusable: string[] } {
  if (isLinear(pattern)) return { usable: pattern, unusable: [] };
  const parts = splitAlternatives(pattern);
  const usable = parts.filter(isLinear);
  const unusable = parts.filter((part) => !isLinear(part));
  return { usable: usable.length === 0 ? undefined : usable.join('|'), unusable };
}

function isLinear(pattern: string): boolean {
  try {
    RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return true;
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

/** `a|(b|c)|d` → `a`, `(b|c)`, `d`. */
export function splitAlternatives(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isClass = false;
  let start = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, pattern.slice(start)].filter((part) => part !== '');
}

export function wordsOfTrigger(match: string | readonly string[] | undefined): readonly string[] {
  return match === undefined ? [] : typeof match === 'string' ? [match] : match;
}

/** Whether a trigger looks at this side of the conversation; the user's when it does not say. */
export function watches({ scope = 'input' }: Pick<TopicTrigger, 'scope'>, role: WatchedMessage['role']): boolean {
  return scope === 'both' || scope === (role === 'user' ? 'input' : 'output');
}

/** Events set these off, never a message. */
const EVENT_TRIGGERS: ReadonlySet<TopicTrigger['type']> = new Set(['webhook', 'cron']);

export function isEventTrigger({ type }: Pick<TopicTrigger, 'type'>): boolean {
  return EVENT_TRIGGERS.has(type);
}

/** The words that stand for a topic: keywords and names of its triggers, in the order they are written. */
export function keywordsOf({ triggers }: Pick<Topic, 'triggers'>): string[] {
  const words = triggers.flatMap((trigger) =>
    trigger.type === 'keywords' || trigger.type === 'mention' ? wordsOfTrigger(trigger.match) : [],
  );
  return [...new Set(words.map((word) => word.replace(/^@/u, '').trim()).filter((word) => word !== ''))];
}

/** By name, title or path. */
export function getTopic(topics: readonly WatchedTopic[], name: string): WatchedTopic {
  const wanted = name.trim().toLowerCase();
  const found =
    topics.find((topic) => topic.name.toLowerCase() === wanted || topic.path.toLowerCase() === wanted) ??
    topics.find(({ title }) => title.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const names = topics.map((topic) => topic.name);
  throw new MnemeError('not-found', `There is no topic ${name}.`, {
    hint:
      names.length === 0
        ? 'There are none yet: `mneme topics new NAME` makes one.'
        : `There are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ' …' : ''}.`,
  });
}
