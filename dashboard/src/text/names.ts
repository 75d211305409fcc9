import { capitalise } from '../../../src/model/text.ts';
/** The person or agent behind an actor name: `subagent:researcher` is the sub-agent researcher. */
export function actorName(actor: string): string {
  const [role = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  if (role === 'human') return name === '' ? 'a person' : capitalise(name);
  if (role === 'external') return 'edited outside Mneme';
  if (role === 'subagent') return `sub-agent ${name}`;
  if (role === 'bot') return name === 'agent' || name === '' ? 'the agent' : botName(name);
  if (role === 'system') return 'Mneme';
  return name === '' ? role : `${role} ${name}`;
}

/** `extract:facts@1` is what learns from conversations. */
function botName(name: string): string {
  return name.startsWith('extract') ? 'Mneme, from a conversation' : name.replace(/@.*$/u, '');
}

export type Origin = 'yours' | 'agent' | 'outside';

/** The source of something, in three kinds: the person, the agent, or outside. */
export function originOf(trust: string): Origin {
  if (trust === 'user') return 'yours';
  return trust === 'agent' || trust === 'system' ? 'agent' : 'outside';
}

export const ORIGIN_WORDS: Readonly<Record<Origin, string>> = {
  yours: 'Your own words',
  agent: 'The agent’s words',
  outside: 'From outside, unverified',
};

const STORE_WORDS: Readonly<Record<string, string>> = {
  core: 'core memory',
  episodic: 'journal',
  semantic: 'facts',
  procedural: 'procedures',
  topic: 'playbook',
  reference: 'reference',
  journal: 'conversations',
  vault: 'vault',
  identity: 'identity',
  meta: 'records',
};

export function storeName(store: string): string {
  return STORE_WORDS[store] ?? store;
}

/** `memory/graph/entities/project--tide-feed.md` and `project--tide-feed` are "tide feed". */
export function entityWords(path: string): string {
  const name = path.replace(/^.*\//u, '').replace(/\.md(?:#.*)?$/u, '');
  return name.replace(/^[a-z]+--/u, '').replaceAll('-', ' ');
}

/** A file as a reader would call it: by its day, by whom it is about, and never by an id. */
export function fileWords(path: string): string {
  const name = path.replace(/^.*\//u, '').replace(/\.md$/u, '');
  if (path === 'MEMORY.md') return 'Core memory';
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/u.test(name)) return path.includes('/proposals/') ? 'A proposal' : 'A record';
  return /^\d{4}-/u.test(name) ? name : entityWords(path);
}

/** A relation or a task as a file writes it, for readers: `develops [[project--tide-feed]]` is "develops tide feed", `[ ]` a box. */
export function readableLinks(text: string): string {
  return text
    .replace(/^\[( |x)\] /iu, (_all, mark: string) => (mark === ' ' ? '☐ ' : '☑ '))
    .replaceAll(
      /\[\[([^\]|]+)(?:\|([^\]]+))?\]\]/gu,
      (_all, target: string, label: string | undefined) => label ?? entityWords(target),
    )
    .replace(/^([a-z]+(?:-[a-z]+)+)\s/u, (_all, relation: string) => `${relation.replaceAll('-', ' ')} `);
}

/** A prompt without a message, by what made the host ask. */
export function nameOfEvent(event: string | null): string {
  return event === 'session-start' ? 'A session began' : 'Asked without a message';
}

/** A title without the ids that programs put behind names: `Tove Lindqvist (person--tove-lindqvist)`. */
export function plainTitle(title: string): string {
  return readableLinks(title).replaceAll(/\s*\([a-z]+--[\w-]+\)/gu, '');
}

/** Names a fading memory: a day of the journal by its date alone, a fact with its subject. */
export function fadingWords({ text, path, store }: { text: string; path: string; store: string }): {
  readonly words: string;
  readonly about: string;
} {
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text.trim());
  return {
    words: isDay ? `The diary of ${text.trim()}` : readableLinks(text),
    about: store === 'semantic' ? fileWords(path) : '',
  };
}
