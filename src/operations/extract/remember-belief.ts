import { KNOWLEDGE_KINDS, type Candidate, type Certainty } from '../../model/knowledge.ts';
import { roleOf } from '../../model/mutation.ts';
import type { Source, Trust } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { builtInLabel } from '../../extract/extractors.ts';
import { takeIn } from '../../extract/extraction.ts';
import type { HeardConversation } from '../../reasoner/port.ts';
import { blockLineRanges } from '../../workspace/markdown/blocks.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import type { Remembered } from '../remember.ts';
import { realName } from '../../model/user-name.ts';
import { extractionOf, type OpenExtraction } from './open-extraction.ts';

interface Told {
  readonly text: string;
  readonly store?: string | undefined;
  readonly source: Source;
  readonly trust: Trust;
  readonly confidence?: Certainty | undefined;
  readonly importance?: number | undefined;
  readonly tags: readonly string[];
  readonly session?: string | undefined;
  readonly turn?: string | undefined;
  readonly trigger?: string | undefined;
}

/**
 * Keeps a statement where what is known of its subject stands, so that a new value replaces the old one, or, from anybody
 * but the user, becomes a proposal. Undefined for what does not state one lasting property of somebody or something: that
 * belongs to its day, in the words it was said in.
 */
export async function rememberBelief(
  context: OperationContext,
  told: Told,
): Promise<Omit<Remembered, 'redacted'> | undefined> {
  const extraction = extractionOf(context);
  const { registry } = extraction.stores.entities;
  await registry.sync();
  const conversation: HeardConversation = {
    session: told.session ?? '',
    // Undefined while nobody has said what the user is called: their file has a placeholder for a name.
    user: realName(registry.findUser()?.name),
    timeZone: context.config.time_zone,
    turns: [{ id: 't1', role: 'user', text: told.text, timeMs: context.clock.now(), trust: told.trust }],
    known: registry.known(),
  };
  const found = await findStatement(extraction, conversation, told);
  if (found === undefined || (told.store === undefined && !saysNothingElse(told.text, found.value))) return undefined;
  const candidate = asTold(found, told);
  const item = await takeIn(
    extraction,
    {
      conversation,
      attribution: {
        actor: context.actor,
        approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
        trigger: told.trigger,
        session: told.session,
      },
      source: told.source,
    },
    { candidate, extractor: builtInLabel(candidate.kind) },
  );
  // An entry of a day that says it is no belief: what is said again is noted there.
  if (item.id === undefined || item.path === undefined || item.path.includes('memory/episodes/')) return undefined;
  const store = item.action === 'proposed' ? 'meta' : 'semantic';
  const lines = store === 'meta' ? undefined : linesOf(context, item.path, item.id);
  return {
    id: item.id,
    mutation: item.mutation ?? '',
    store,
    path: item.path,
    startLine: lines?.startLine ?? 1,
    endLine: lines?.endLine ?? 1,
    commit: null,
    warnings: item.reason === undefined ? [] : [`${item.reason}: ${item.action}`],
  };
}

/** Words after the value that only say when: "now", "since May", "these days". */
const MAX_WORDS_AFTER = 3;

/** Whether a text ends with the property it states. What goes on ("and is allergic to latex") must not be swallowed. */
function saysNothingElse(text: string, value: string | undefined): boolean {
  const at = value === undefined ? -1 : text.toLowerCase().lastIndexOf(value.toLowerCase());
  if (value === undefined || at === -1) return false;
  const rest = text.slice(at + value.length).replace(/[.!\s]+$/u, '');
  return (
    !/[,;:.!?]|(?<!\p{L})(?:and|but|or|und|aber|y|pero|et|mais)(?!\p{L})/iu.test(rest) &&
    wordCount(rest) <= MAX_WORDS_AFTER
  );
}

function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length;
}

/** One statement about somebody's or something's lasting property; anything else belongs to its day. */
async function findStatement(
  { reasoner }: OpenExtraction,
  conversation: HeardConversation,
  { text, store }: Told,
): Promise<Candidate | undefined> {
  const [turn] = conversation.turns;
  if (turn === undefined) return undefined;
  const { output } = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
  const [found, ...others] = output;
  if (others.length > 0) return undefined;
  if (found?.subject !== undefined && (found.attribute !== undefined || store === 'semantic')) return found;
  const { user, timeZone, known } = conversation;
  const { output: route } = await reasoner.ask('route', { text, user, timeMs: turn.timeMs, timeZone, known });
  if (route.property === undefined) return undefined;
  const { entities, relations, tags, isCoreWorthy, confidence, summary: statement, property } = route;
  return {
    kind: route.kind === 'person' || property.subject.isUser !== true ? 'person' : 'fact',
    statement,
    evidence: { session: conversation.session, turns: [], quote: text },
    trust: turn.trust,
    saidMs: turn.timeMs,
    confidence,
    importance: 0.7,
    ...property,
    entities,
    relations,
    tags,
    isCoreWorthy,
  };
}

const FIRST_PERSON =
  /(?<!\p{L})(?:i|i'm|my|me|mine|we|our|us|ich|mein\p{L}*|mir|wir|unser\p{L}*|yo|mi|mis|je|j'|mon|ma|mes)(?!\p{L})/iu;

/** Whoever asks to remember something knows how sure and how important it is. */
function asTold(found: Candidate, told: Told): Candidate {
  return {
    ...found,
    // Whoever speaks of others is quoted; "I" has to become somebody, or nobody later knows who it was.
    statement: FIRST_PERSON.test(told.text) ? found.statement : told.text,
    trust: told.trust,
    evidence: { session: told.session ?? '', turns: told.turn === undefined ? [] : [told.turn], quote: told.text },
    confidence: told.confidence ?? 'high',
    importance: told.importance ?? Math.max(found.importance, 0.7),
    tags: told.tags.length > 0 ? told.tags : found.tags,
  };
}

function linesOf(
  { workspace }: OperationContext,
  file: string,
  id: string,
): { readonly startLine: number; readonly endLine: number } | undefined {
  const text = nodeFileSystem.read(`${workspace.root}/${file}`)?.toString('utf8');
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  return blockLineRanges(document)[document.blocks.findIndex((block) => block.id === id)];
}
