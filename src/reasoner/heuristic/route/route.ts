import type { RouteInput, Route } from '../../port.ts';
import { entitiesIn } from '../entities/entities.ts';
import { relationsIn } from '../entities/relations.ts';
import { tagsOf } from '../entities/tags.ts';
import { setScene } from '../conversation/scene.ts';
import { featuresOf } from '../features/features.ts';
import type { Heard } from '../kinds/finding.ts';
import { notice } from '../kinds/notice.ts';
import { chancesOf, OUTCOMES, type Outcome } from '../kinds/score.ts';
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
  const summary =
    heard.length === 0
      ? content
      : heard.map((each) => stateFinding({ kind: best?.kind ?? 'fact', heard: each, score: 1 }, scene)).join(' ');
  const entities = entitiesIn(summary, scene);
  const isAsked = content.length < text.trim().length;
  return {
    store: storeOf(content, best?.kind),
    kind: best?.kind,
    entities,
    relations: relationsIn(summary, entities),
    tags: tagsOf(
      summary,
      undefined,
      entities.map(({ name }) => name),
    ),
    confidence: isAsked ? 'high' : confidenceOf(best?.chance ?? 0),
    isCoreWorthy: isCoreWorthy(content, best?.kind),
    summary,
  };
}

interface Likely {
  readonly kind: Exclude<Outcome, 'none'>;
  readonly chance: number;
}

/** The kind of the statement that is most surely one; to keep it was already decided. */
function likeliest(heard: readonly Heard[]): Likely | undefined {
  let best: Likely | undefined;
  for (const each of heard) {
    const chances = chancesOf(featuresOf(each).filter((feature) => !OF_PLACE.test(feature)));
    for (const kind of OUTCOMES) {
      if (kind !== 'none' && (best === undefined || chances[kind] > best.chance))
        best = { kind, chance: chances[kind] };
    }
  }
  return best === undefined || best.chance < 0.1 ? undefined : best;
}
