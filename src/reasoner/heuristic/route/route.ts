import type { KnowledgeKind } from '../../../model/knowledge.ts';
import type { RouteInput, Route } from '../../port.ts';
import { entitiesIn } from '../entities/entities.ts';
import { propertyIn, type PropertyMention } from '../entities/property-mention.ts';
import { relationsIn } from '../entities/relations.ts';
import { tagsOf } from '../entities/tags.ts';
import { setScene } from '../conversation/scene.ts';
import { featuresOf } from '../features/features.ts';
import type { Heard } from '../kinds/finding.ts';
import { notice } from '../kinds/notice.ts';
import { plainFormOf } from '../kinds/forms/find.ts';
import { likeliestKind } from '../kinds/outcomes.ts';
import { chancesOf } from '../kinds/score.ts';
import { stateFinding } from '../statement/statement.ts';
import { confidenceOf, isCoreWorthy, storeOf } from './store.ts';

const ASKED_TO_KEEP =
  /^(?:please |pls |can you |could you )*(?:remember|note|don't forget|keep in mind|make a note|save|write down)(?: this| it| down)?(?: that|:|,)?\s+/iu;
/** Of one message nothing stands before or after it. */
const OF_PLACE = /^(?:f:first|f:last|prev:|next:|echo:|t:)/u;

/** Where a single message belongs that somebody asked to keep. */
export async function route({ text, user, timeMs, timeZone, known }: RouteInput): Promise<Route> {
  const content = text.replace(ASKED_TO_KEEP, '').trim();
  const turn = { id: 't1', role: 'user' as const, text: content, timeMs, trust: 'user' as const };
  const scene = await setScene({ session: 'route', user, timeZone, turns: [turn], known });
  const heard =
    scene.turns[0]?.filter((utterance) => utterance.text !== '').map((utterance) => notice(utterance, scene)) ?? [];
  const best = likeliest(heard);
  const statements = heard.map((each) => ({
    said: each.utterance.text,
    stated: stateFinding({ kind: best?.kind ?? 'fact', heard: each, score: 1 }, scene),
  }));
  const summary = statements.length === 0 ? content : statements.map(({ stated }) => stated).join(' ');
  const property = statements
    .map(({ said, stated }) => propertyIn(stated, said, scene))
    .find((each) => each !== undefined);
  const kind = property === undefined ? best?.kind : kindOf(property, best?.kind);
  const entities = entitiesIn(summary, scene);
  const isAsked = content.length < text.trim().length;
  return {
    store: storeOf(content, kind, property),
    kind,
    entities,
    relations: relationsIn(summary, entities),
    tags: tagsOf(
      summary,
      undefined,
      entities.map(({ name }) => name),
    ),
    confidence: isAsked ? 'high' : confidenceOf(best?.chance ?? 0),
    isCoreWorthy: isCoreWorthy(content, kind),
    summary,
    property,
  };
}

/** What is stated of somebody is known better by whom it is stated of than by its words. */
function kindOf({ subject }: PropertyMention, likely: KnowledgeKind | undefined): KnowledgeKind | undefined {
  if (likely === 'task' || likely === 'correction') return likely;
  if (subject.isUser === true) return 'fact';
  return subject.type === 'person' ? 'person' : (likely ?? 'fact');
}

/** How sure a plain form of speech is: "My wife's name is Ana." */
const PLAIN_FORM = 0.5;

interface Likely {
  readonly kind: KnowledgeKind;
  readonly chance: number;
}

/** The kind of the statement that is most surely one; to keep it was already decided. */
function likeliest(heard: readonly Heard[]): Likely | undefined {
  let best: Likely | undefined;
  for (const each of heard) {
    const chances = chancesOf(featuresOf(each).filter((feature) => !OF_PLACE.test(feature)));
    const form = plainFormOf(each);
    const kind = form ?? likeliestKind(chances);
    const chance = form === undefined ? chances[kind] : Math.max(PLAIN_FORM, chances[kind]);
    if (best === undefined || chance > best.chance) best = { kind, chance };
  }
  return best === undefined || best.chance < 0.1 ? undefined : best;
}
