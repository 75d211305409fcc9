import { lowestTrust, type Scope, type Trust } from '../../model/provenance.ts';
import { matchProcedures, type ProcedureMatch } from '../../memory/procedures/match.ts';
import type { IndexView } from '../../search-index/port.ts';
import type { ActiveTopic, Correction, SubscribedPiece, TopicsForTurn } from '../../topics/port.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { attributedText, attributedTitle, trustOfBlocks } from '../attribute.ts';
import { indent, quoteLine, quoteText } from '../fence.ts';
import { formOf, UNSCORED, type Form, type Piece } from '../piece.ts';
import { openHelps } from '../relevance/helps.ts';
import { formsOf, summariseText } from '../shorten.ts';
import type { World } from '../world.ts';
import { trustOf, withoutMark } from './files.ts';

/** As many as one message can be about. */
const MAX_PROCEDURES = 3;
const STEP = /^\d{1,3}[.)] /u;
/** Puts corrections before everything else. */
const CORRECTIONS_FIRST = -1000;

/** P2: the playbooks of active topics, and what the agent has to do otherwise. */
export async function topicPieces({ active, corrections }: TopicsForTurn, world: World): Promise<Piece[]> {
  const playbooks = active.map(async (topic, at) => topicPiece(topic, await world.readFile(topic.path), at));
  return [...corrections.map((correction, at) => correctionPiece(correction, at)), ...(await Promise.all(playbooks))];
}

function topicPiece(topic: ActiveTopic, source: string | undefined, position: number): Piece {
  const { heading, text, trust } = source === undefined ? unattributed(topic) : attributed(topic, source);
  return {
    tag: 'topics',
    origin: { id: `topic:${topic.name}`, path: topic.path, ...UNDATED, trust, scope: 'shared' },
    forms: formsOf(heading, clipBytes(text, topic.maxBytes), `${heading} → ${quoteLine(topic.path)}`),
    said: topic.body,
    position,
    ...UNSCORED,
    score: topic.score,
    isWholeFile: true,
    why: topic.reason,
  };
}

interface Playbook {
  readonly heading: string;
  readonly text: string;
  readonly trust: Trust;
}

/** A topic whose file cannot be read any more is as it was when it was last seen. */
function unattributed({ title, body }: ActiveTopic): Playbook {
  return { heading: `## ${quoteLine(title)}`, text: quoteText(body).trim(), trust: 'user' };
}

/** Instructions to the agent, with what is not the user's own marked. */
function attributed({ title }: ActiveTopic, source: string): Playbook {
  const document = parseDocument(withoutMark(source));
  const defaults = itemDefaults('topic', document.frontmatter?.values);
  const blocks = locateBlocks(document);
  const titleAt = blocks.findIndex(({ block }) => block.kind === 'heading' && block.level === 1);
  const trusts = trustOfBlocks(blocks, defaults);
  const text = attributedText(blocks.slice(titleAt + 1), defaults);
  const heading = `## ${attributedTitle(quoteLine(title), trusts[titleAt] ?? 'user')}`;
  return { heading, text, trust: lowestTrust(['user', ...trusts]) };
}

function correctionPiece({ topic, path, hint, found }: Correction, at: number): Piece {
  const text = `- Correction (${quoteLine(topic)}): ${quoteLine(hint)}`;
  return {
    tag: 'topics',
    origin: { id: `correction:${topic}`, path, ...UNDATED, trust: 'user', scope: 'shared' },
    forms: [formOf('full', () => text)],
    said: hint,
    position: CORRECTIONS_FIRST + at,
    ...UNSCORED,
    why: `the last answer said "${found}"`,
  };
}

/** P2: what active topics bring along: data, however well the topic is trusted. */
export async function subscriptionPieces({ active }: TopicsForTurn, view: IndexView): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const topic of active) {
    let left = topic.maxBytes - Buffer.byteLength(topic.body);
    for (const [at, brought] of topic.subscriptions.entries()) {
      const indexed = await asIndexed(brought, view);
      const room = Math.max(0, left);
      // The first is what the topic wants most: as much of it as there is room for.
      const text = at === 0 ? clipBytes(indexed.text, room) : indexed.text;
      const isOver = Buffer.byteLength(text) > room;
      left -= isOver ? 0 : Buffer.byteLength(text);
      const piece = subscriptionPiece(topic, { ...indexed, text }, isOver);
      pieces.push(text === indexed.text ? piece : { ...piece, isWholeFile: false });
    }
  }
  return pieces;
}

/** A file is trusted as far as the least of what the index knows in it, and told without what only machines read. */
async function asIndexed(brought: SubscribedPiece, view: IndexView): Promise<SubscribedPiece> {
  if (!isFile(brought)) return brought;
  const passages = await view.readDocument({ source: 'workspace', path: brought.path });
  const trust = lowestTrust([brought.trust, trustOf(passages)]);
  const document = parseDocument(withoutMark(brought.text));
  const text = attributedText(locateBlocks(document), itemDefaults('reference', document.frontmatter?.values));
  return { ...brought, trust, text };
}

function isFile({ kind }: SubscribedPiece): boolean {
  return kind === 'path' || kind === 'glob' || kind === 'entity';
}

function subscriptionPiece(topic: ActiveTopic, piece: SubscribedPiece, isOver: boolean): Piece {
  const { id, path, text, trust, scope, time, score, subscription } = piece;
  const isTrusted = trust === 'user' || trust === 'agent';
  const day = time === null ? 'undated' : time.slice(0, 10);
  const heading = `[${[day, quoteLine(path), isTrusted ? trust : `${trust}, untrusted`].join(' · ')}]`;
  return {
    tag: 'subscriptions',
    origin: { id, path, source: null, session: null, turn: null, time, trust, scope },
    forms: [
      formOf('full', () => indent(quoteText(text), ' ')),
      formOf('summary', () => indent(quoteText(summariseText(quoteText(text), 0.3)), ' ')),
      formOf('link', () => ` → ${quoteLine(id)}`),
    ],
    said: text,
    position: 0,
    below: { heading, order: 0 },
    ...UNSCORED,
    score,
    isWholeFile: isFile(piece),
    why: `${topic.name} subscribes to ${subscription}`,
    refused: isOver ? `over what ${topic.name} may bring along (${topic.maxBytes} bytes)` : undefined,
  };
}

/** P2: procedures and skills that the message calls for by a keyword, a trigger or its name. */
export async function procedurePieces(
  world: World,
  message: string,
  scopes: readonly Scope[],
  isPushed: boolean,
): Promise<Piece[]> {
  if (message.trim() === '') return [];
  const found = matchProcedures(message, world.listProcedures(), { scopes, limit: MAX_PROCEDURES });
  const matches = isPushed ? found.filter((match) => isCalledFor(match, message)) : found;
  const pieces: Piece[] = [];
  for (const [position, match] of matches.entries()) {
    const text = await world.readFile(match.known.path);
    if (text !== undefined) pieces.push(procedurePiece(match, text, position));
  }
  return pieces;
}

/** The threshold for a learned procedure; one that a person wrote states itself when it applies. */
const LEARNED_HELPS = 0.4;

function isCalledFor({ known: { procedure } }: ProcedureMatch, message: string): boolean {
  if (procedure.frontmatter.learned === undefined) return true;
  const { helps } = openHelps();
  const steps = procedure.steps.map(({ description }) => description).join('; ');
  return helps === undefined || helps(message, `${procedure.name}: ${steps}`) >= LEARNED_HELPS;
}

function procedurePiece({ known, score, why }: ProcedureMatch, source: string, position: number): Piece {
  const { path, scope, procedure } = known;
  const document = parseDocument(withoutMark(source));
  const blocks = locateBlocks(document);
  const defaults = itemDefaults('procedure', document.frontmatter?.values);
  const text = attributedText(blocks, defaults);
  const trust = lowestTrust(['user', ...trustOfBlocks(blocks, defaults)]);
  // The lines of the steps, unchanged and with their attribution.
  const steps = (): string =>
    text
      .split('\n')
      .filter((line) => STEP.test(line))
      .join('\n');
  const heading = `## ${quoteLine(procedure.name)}`;
  const forms: readonly [Form, ...Form[]] = [
    formOf('full', () => text),
    formOf('summary', () => quoteText(`${heading}\n${steps()}`)),
    formOf('link', () => `${heading} → ${quoteLine(path)}`),
  ];
  const origin = { id: procedure.frontmatter.id ?? path, path, ...UNDATED, trust, scope } as const;
  return { tag: 'procedures', origin, forms, said: text, position, ...UNSCORED, score, isWholeFile: true, why };
}

const UNDATED = { source: null, session: null, turn: null, time: null } as const;

/** Says that something was cut off. */
const CLIPPED = '\n…';

function clipBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const cut = Buffer.from(text, 'utf8')
    .subarray(0, Math.max(0, maxBytes - Buffer.byteLength(CLIPPED)))
    .toString('utf8')
    .replace(/\uFFFD+$/u, '');
  const lineEnd = cut.lastIndexOf('\n');
  return `${lineEnd === -1 ? cut : cut.slice(0, lineEnd)}${CLIPPED}`;
}
