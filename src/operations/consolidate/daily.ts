import { graphIndex } from '../graph/index-file.ts';
import { patterns } from '../patterns/patterns.ts';
import { dayJournals } from './journals.ts';
import { CONSOLIDATOR, report, type Step, type StepReport } from './step.ts';
import { findRipe, isLasting, planMark } from '../../maintain/consolidate/important-episodes.ts';
import { builtInLabel } from '../../extract/extractors.ts';
import { takeIn, type ExtractedItem, type TakeInRequest } from '../../extract/extraction.ts';
import { readEpisodes, type Episode } from '../../memory/episodes/read-episodes.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { KNOWLEDGE_KINDS, type Candidate } from '../../model/knowledge.ts';
import { lowestTrust } from '../../model/provenance.ts';
import { counted, shorten } from '../../model/text.ts';
import { addDays } from '../../model/time.ts';
import type { HeardConversation } from '../../reasoner/port.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import type { OperationContext } from '../context.ts';
import { asConversation } from '../extract/episode-conversation.ts';
import type { OpenExtraction } from '../extract/open-extraction.ts';
import { CONSOLIDATION } from '../../maintain/consolidate/periods.ts';

interface Condensed {
  readonly items: readonly ExtractedItem[];
  readonly mutation: string | undefined;
  readonly notes: readonly string[];
}

/** Turns important, settled episodes into facts about the entities concerned; the day keeps them and links to the facts. */
const importantEpisodes: Step = {
  name: 'facts',
  async run(context, { last, doneUpTo, only, isDryRun }, { signal, onProgress }): Promise<StepReport> {
    const until = addDays(last, 1 - CONSOLIDATION.minAgeDays);
    // An entry of a day that was looked at before was judged then.
    const since = only ?? (doneUpTo === undefined ? '' : addDays(doneUpTo, 1 - CONSOLIDATION.minAgeDays));
    const episodes = readEpisodes(context.workspace.root, { since, until: only ?? until });
    const ripe = findRipe(episodes, { minImportance: CONSOLIDATION.minImportance, until });
    const extraction = await context.parts.extraction();
    await context.entities.sync();
    const done: Condensed[] = [];
    for (const [index, episode] of ripe.entries()) {
      signal?.throwIfAborted();
      onProgress?.(`entry ${index + 1} of ${ripe.length}`);
      done.push(await extraction.exclusively(() => condense(context, extraction, episode, isDryRun)));
    }
    const items = done.flatMap((each) => each.items);
    const learned = items.filter(({ action }) => action === 'added');
    const proposed = items.filter(({ action }) => action === 'proposed');
    const verb = isDryRun ? 'would be learned' : 'learned';
    return report(
      `${counted(learned.length, 'fact')} ${verb} from ${counted(ripe.length, 'important entry', 'important entries')}`,
      {
        mutations: [...items.map(({ mutation }) => mutation), ...done.map(({ mutation }) => mutation)].flatMap(
          (id) => id ?? [],
        ),
        proposals: proposed.flatMap(({ id }) => id ?? []),
        files: [...new Set(learned.flatMap(({ path }) => path ?? []))],
        notes: [...(isDryRun ? learned.map(({ statement }) => statement) : []), ...done.flatMap(({ notes }) => notes)],
      },
    );
  },
};

async function condense(
  context: OperationContext,
  extraction: OpenExtraction,
  episode: Episode,
  isDryRun: boolean,
): Promise<Condensed> {
  const conversation = asConversation(context, episode);
  const { output, notes } = await extraction.reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
  const items: ExtractedItem[] = [];
  const troubles: string[] = [];
  for (const candidate of output.filter(isLasting)) {
    try {
      items.push(await learn(extraction, { conversation, candidate, episode, isDryRun }));
    } catch (error) {
      // A file that a person has to mend first must not cost the other entries.
      if (!isMnemeError(error)) throw error;
      troubles.push(`"${shorten(candidate.statement)}" was not carried over: ${errorMessage(error)}`);
    }
  }
  const into = items.find((item) => isKnowledge(context, item))?.id;
  if (isDryRun || into === undefined) return { items, mutation: undefined, notes: [...notes, ...troubles] };
  const { mutation } = await context.workspace.commit({
    actor: CONSOLIDATOR,
    approval: 'auto',
    trigger: 'consolidate day',
    summary: `condensed an entry of ${episode.date} into ${into}`,
    changes: [planMark(episode, into)],
  });
  return { items, mutation, notes: [...notes, ...troubles] };
}

/** Written down, or known, as a statement in somebody's or something's file. */
function isKnowledge({ layout }: OperationContext, { action, id, path }: ExtractedItem): boolean {
  if (id === undefined || path === undefined || action === 'proposed') return false;
  return kindOfPath(path, layout) === 'entity';
}

interface Learning {
  readonly conversation: HeardConversation;
  readonly candidate: Candidate;
  readonly episode: Episode;
  readonly isDryRun: boolean;
}

/**
 * Additions are written. Known facts are only linked: an old entry is no new confirmation, and a run that was
 * killed would otherwise count twice. What would replace something is put to a person, whoever once said it.
 */
async function learn(
  extraction: OpenExtraction,
  { conversation, candidate, episode, isDryRun }: Learning,
): Promise<ExtractedItem> {
  const evidence =
    episode.meta.session === undefined ? { ...candidate.evidence, session: '', turns: [] } : candidate.evidence;
  const found = { candidate: { ...candidate, evidence, isCoreWorthy: false }, extractor: builtInLabel(candidate.kind) };
  const request: TakeInRequest = {
    conversation,
    attribution: { actor: CONSOLIDATOR, approval: 'auto', trigger: 'consolidate day', session: episode.meta.session },
    source: episode.meta.source,
    except: episode.id === undefined ? [] : [episode.id],
  };
  const expected = await takeIn(extraction, { ...request, isDryRun: true }, found);
  if (isDryRun) return expected;
  if (expected.action === 'confirmed' || expected.action === 'skipped') return expected;
  if (expected.action === 'added') return takeIn(extraction, request, found);
  const trust = lowestTrust(['agent', candidate.trust]);
  return takeIn(extraction, request, { ...found, candidate: { ...found.candidate, trust } });
}

/** Files and facts of what keeps happening; what no longer does is retired. */
const learnPatterns: Step = {
  name: 'patterns',
  async run(context, { isDryRun }): Promise<StepReport> {
    const given = patterns.input.parse({ learn: !isDryRun });
    const found = await patterns.run({ ...context, actor: CONSOLIDATOR }, given);
    const facts = found.patterns.flatMap(({ fact }) => fact ?? []);
    return report(`${counted(found.patterns.length, 'pattern')}, ${found.retired.length} retired`, {
      mutations: found.mutation === null ? [] : [found.mutation],
      proposals: facts.filter(({ action }) => action === 'proposed').flatMap(({ id }) => id ?? []),
      files: found.patterns.flatMap(({ path }) => path ?? []),
    });
  },
};

const indexGraph: Step = {
  name: 'graph',
  async run(context, { isDryRun }): Promise<StepReport> {
    const { mutation, entities, path, isCurrent, warnings } = await graphIndex.run(
      context,
      graphIndex.input.parse({ check: isDryRun }),
    );
    const state = isCurrent
      ? 'the list of entities is up to date'
      : `${counted(entities, 'entity', 'entities')} listed`;
    return report(state, {
      mutations: mutation === null ? [] : [mutation],
      files: mutation === null ? [] : [path],
      notes: warnings,
    });
  },
};

export const DAILY_STEPS: readonly Step[] = [dayJournals, learnPatterns, importantEpisodes, indexGraph];
