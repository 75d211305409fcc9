import fs from 'node:fs';
import path from 'node:path';
import { extractKnowledge, type ExtractedItem } from '../../src/extract/extraction.ts';
import { chooseExtractors, type Extractor } from '../../src/extract/extractors.ts';
import type { Candidate } from '../../src/model/knowledge.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { parseEntityWithIds } from '../../src/memory/stores/entities/entity-edit.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';
import { parseEpisodes } from '../../src/workspace/formats/episode.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { progress } from '../support.ts';
import { toConversation, type Label, type SampleSession } from './sample.ts';

/** A statement that was taken in, with the label it tells, if any. */
export interface TakenStatement extends ExtractedItem {
  readonly session: SampleSession;
  readonly label: Label | undefined;
}

export interface PipelineRun {
  readonly taken: readonly TakenStatement[];
  /** Ids of items that hold after the last session. */
  readonly live: ReadonlySet<string>;
}

export interface PipelineOptions {
  readonly user: string;
  readonly zone: string;
  /** What is found in the conversations: by the reasoner, or exactly what the labels say. */
  readonly from: 'reasoner' | 'labels';
}

/** Takes sessions in, one after the other, in a home of their own, and reads back what its files hold. */
export async function runPipeline(
  sessions: readonly SampleSession[],
  { user, zone, from }: PipelineOptions,
): Promise<PipelineRun> {
  const home = makeTemporaryFolder('mneme-bench-');
  await initHome({ home, timeZone: zone, isFull: false, command: ['mneme'] });
  const mneme = await openMneme({ home });
  try {
    const taken: TakenStatement[] = [];
    for (const session of sessions) {
      progress(`${from}: ${session.session}`);
      const conversation = toConversation(session, user, zone, []);
      const chosen =
        from === 'labels'
          ? { kinds: [], hasJournal: false, plugins: [labelReader(session)] }
          : chooseExtractors(undefined, []);
      const { items } = await extractKnowledge(await mneme.internals.parts.extraction(), {
        conversation,
        chosen,
        attribution: { actor: 'bot:bench', approval: 'auto' },
        source: 'auto',
      });
      taken.push(...items.map((item) => ({ ...item, session, label: findLabel(session, item) })));
    }
    return { taken, live: readLive(mneme) };
  } finally {
    await mneme.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

/** An extractor that finds what the labels say: what is then merged wrongly or kept twice is the comparison's doing. */
function labelReader(session: SampleSession): Extractor {
  return {
    name: 'labels',
    version: 1,
    find: async ({ conversation }) => ({
      by: 'labels',
      notes: [],
      candidates: session.items.map((label): Candidate => {
        const turn = conversation.turns.find(({ id }) => id === label.evidence[0]);
        return {
          kind: label.kind,
          statement: label.statement,
          evidence: { session: session.session, turns: [...label.evidence], quote: label.statement },
          trust: 'user',
          saidMs: turn?.timeMs ?? Date.parse(session.started),
          confidence: 'high',
          importance: 0.6,
          ...(conversation.project === undefined ? {} : { subject: { name: conversation.project, type: 'project' } }),
          entities: [],
          relations: [],
          tags: [],
          isCoreWorthy: false,
        };
      }),
    }),
  };
}

function findLabel(session: SampleSession, { kind, statement, evidence }: ExtractedItem): Label | undefined {
  const text = statement.toLowerCase();
  const turns = evidence.map((citation) => citation.slice(citation.indexOf('#') + 1));
  const tells = (label: Label): boolean =>
    label.statement === statement ||
    (turns.some((turn) => label.evidence.includes(turn)) &&
      label.must.every((group) => group.some((word) => text.includes(word.toLowerCase()))));
  const isKind = (label: Label): boolean => label.kind === kind || (label.alsoKind ?? []).includes(kind);
  return (
    session.items.find((label) => label.statement === statement) ??
    session.items.find((label) => isKind(label) && tells(label)) ??
    session.items.find(tells)
  );
}

/** What the files hold that was not struck, reversed, closed or replaced. */
function readLive({ internals }: Mneme): Set<string> {
  const root = internals.workspace.root;
  const live = new Set<string>();
  for (const file of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue;
    const document = parseDocument(fs.readFileSync(path.join(root, file), 'utf8'));
    const relative = file.replaceAll(path.sep, '/');
    if (relative.startsWith('memory/graph/entities/')) {
      const { facts, decisions, tasks } = parseEntityWithIds(document, relative);
      for (const fact of facts) if (!fact.isSuperseded && fact.id !== undefined) live.add(fact.id);
      for (const { id, meta } of decisions)
        if (id !== undefined && (meta.status === undefined || meta.status === 'active')) live.add(id);
      for (const { id, status } of tasks)
        if (id !== undefined && status !== 'done' && status !== 'dropped') live.add(id);
    } else if (relative.startsWith('memory/episodes/')) {
      for (const { id } of parseEpisodes(document).entries) if (id !== undefined) live.add(id);
    } else if (relative.startsWith('memory/procedures/')) {
      live.add(relative);
    }
  }
  return live;
}
