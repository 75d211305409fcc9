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
import { extractionOf } from './open-extraction.ts';

interface Told {
  readonly text: string;
  readonly store?: string | undefined;
  readonly source: Source;
  readonly trust?: Trust | undefined;
  readonly confidence?: Certainty | undefined;
  readonly importance?: number | undefined;
  readonly tags: readonly string[];
  readonly session?: string | undefined;
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
  const trust = told.trust ?? (roleOf(context.actor) === 'human' ? 'user' : 'agent');
  const conversation: HeardConversation = {
    session: told.session ?? '',
    user: registry.findUser()?.name,
    timeZone: context.config.time_zone,
    turns: [{ id: 't1', role: 'user', text: told.text, timeMs: context.clock.now(), trust }],
    known: registry.known(),
  };
  const { output } = await extraction.reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
  const [found, ...others] = output;
  const isOneProperty = found !== undefined && others.length === 0 && found.subject !== undefined;
  if (!isOneProperty || (told.store === undefined && found.attribute === undefined)) return undefined;
  const candidate = inOwnWords(found, told, trust);
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
  if (item.id === undefined || item.path === undefined || item.mutation === undefined) return undefined;
  const store = item.action === 'proposed' ? 'meta' : 'semantic';
  const lines = store === 'meta' ? undefined : linesOf(context, item.path, item.id);
  return {
    id: item.id,
    mutation: item.mutation,
    store,
    path: item.path,
    startLine: lines?.startLine ?? 1,
    endLine: lines?.endLine ?? 1,
    commit: null,
    warnings: item.reason === undefined ? [] : [`${item.reason}: ${item.action}`],
  };
}

/** Whoever asks to remember something is quoted, not paraphrased. */
function inOwnWords(found: Candidate, told: Told, trust: Trust): Candidate {
  return {
    ...found,
    statement: told.text,
    trust,
    evidence: { session: told.session ?? '', turns: [], quote: told.text },
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
