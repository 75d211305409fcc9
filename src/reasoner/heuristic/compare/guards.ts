import type { Details } from './details.ts';
import { namesDiffer, sharedDays, sharedNumbers } from './values.ts';

/** Words of a longer statement that stand at other places than in a shorter one say nothing; up to here they do. */
const MAX_SUBSTITUTION_WORDS = 8;
/** In a longer statement two words side by side are seldom a name. */
const MAX_MODIFIED_WORDS = 5;
const RELATIVE =
  /['’]s? (?:\p{L}+ )?(?:brother|sister|mother|father|mum|mom|dad|son|daughter|wife|husband|partner|friend|boss|neighbour|neighbor|colleague|cat|dog)['’]s\b/iu;

export interface Said {
  readonly text: string;
  readonly details: Details;
}

/** Why two statements are about different people or things, however alike their words are. */
export function findOtherSubject(known: Said, incoming: Said): string | undefined {
  const [one, other] = [known.details, incoming.details];
  if (namesDiffer(one, other)) return 'they name different people or things';
  if (RELATIVE.test(known.text) !== RELATIVE.test(incoming.text)) return 'one is about somebody of the other';
  if (one.isNegated !== other.isNegated && isShort(one) && isShort(other)) return 'one denies something';
  if (isSubstitution(one, other)) return 'one has another word in the place of the other’s';
  if (haveOtherModifiers(one, other)) return 'they speak of different ones of a kind';
  return undefined;
}

/** In a long statement a "not" may stand beside the point; in a short one it is the point. */
const MAX_SHORT_WORDS = 6;

function isShort({ words }: Details): boolean {
  return words.length <= MAX_SHORT_WORDS;
}

/** "cannot eat gluten", "cannot eat lactose": the rest being equal, the word that differs is what matters. */
function isSubstitution(one: Details, other: Details): boolean {
  const own = one.stems.filter((stem) => !other.stems.includes(stem)).length;
  const others = other.stems.filter((stem) => !one.stems.includes(stem)).length;
  const shared = one.stems.length - own;
  return (
    own === others &&
    own > 0 &&
    own <= 2 &&
    shared >= own &&
    one.stems.length <= MAX_SUBSTITUTION_WORDS &&
    sharedDays(one, other) + sharedNumbers(one, other) < 2
  );
}

/** "the liability insurance", "the contents insurance": one noun, and a word before it that the other does not know. */
function haveOtherModifiers(one: Details, other: Details): boolean {
  if (Math.min(one.words.length, other.words.length) > MAX_MODIFIED_WORDS) return false;
  for (const [head, modifier] of one.modifiers) {
    const others = other.modifiers.get(head);
    if (others === undefined || others === modifier || one.names.has(head)) continue;
    if (!other.stems.includes(modifier) && !one.stems.includes(others)) return true;
  }
  return false;
}
