import { extractTerms } from '../../../search-index/text/terms.ts';
import { spellings } from './spelling.ts';

/** What two descriptions say of whether their bearers are one. Each between 0 and 1. */
export interface ContextSigns {
  /** Share of the telling words of the shorter that the other has too. */
  readonly overlap: number;
  /** How many names and numbers both have, up to three. */
  readonly details: number;
  /** One says outright that it is the other: renamed, also called, in parentheses. */
  readonly saysSame: number;
  /** One speaks of the other as somebody else. */
  readonly saysOther: number;
  /** Kinship or rank between two of one name. */
  readonly kin: number;
  /** Likeness of the meanings by the embedder. */
  readonly likeness: number;
}

export interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly context: string;
}

const RENAMED =
  /\b(?:renamed|formerly|former|previously|used to be|was called|now called|called|known as|alias|aka|a\.k\.a|real name|short for|stands for|signs|goes by|nicknamed|nickname|rebrand\w*|working title|until its|née|maiden name|marries|married name|as we call|named|dead as a name|original(?:ly)?|new name|old name|abbreviated|full name|moved imports from|turned into|became|only got a new name|any ?more|as of now|now|before it was|at the time|reopened|under me as|divorced|took back|isn't the name|früher|ehemals|genannt|heißt)\b/iu;

const OTHERS =
  /\b(?:no relation|not (?:the|to be confused)|the other|another|third part(?:y|y's)|stranger'?s?|unrelated|different|confus\w+|both exist|replaced it|namesake|mixed up|as opposed to|unlike)\b/iu;

const KIN =
  /\b(?:twins?|sister|brother|siblings?|father|mother|dad|mum|mom|son|daughter|grandfather|grandmother|grandson|nephew|niece|uncle|aunt|cousin|wife|husband|widow|elder|younger|senior|junior|named after|manager|boss|reports to|assistant|trainee|successor|predecessor|deputy|godson|goddaughter)\b/iu;

export function readContext(left: Described, right: Described, likeness: number): ContextSigns {
  const names = new Set(namesOf([left, right]).flatMap(extractTerms));
  const [a, b] = [termsOf(left.context, names), termsOf(right.context, names)];
  const shared = [...a].filter(([term]) => b.has(term));
  const weigh = (entries: Iterable<readonly [string, number]>): number =>
    [...entries].reduce((sum, [, weight]) => sum + weight, 0);
  const least = Math.min(weigh(a), weigh(b));
  const [ours, theirs] = [detailsOf(left.context, names), detailsOf(right.context, names)];
  const mentions = new Set([mentionOf(left, right), mentionOf(right, left)]);
  return {
    overlap: least === 0 ? 0 : Math.min(1, weigh(shared) / least),
    details: Math.min(3, [...ours].filter((detail) => theirs.has(detail)).length) / 3,
    saysSame: mentions.has('same') ? 1 : 0,
    saysOther: mentions.has('other') || OTHERS.test(left.context) || OTHERS.test(right.context) ? 1 : 0,
    kin: KIN.test(left.context) || KIN.test(right.context) ? 1 : 0,
    likeness,
  };
}

/** Words anybody uses of anybody. */
const PLAIN: ReadonlySet<string> = new Set(
  extractTerms(
    'work works working worked job live lives lived new old year years day days week month monday tuesday wednesday thursday friday saturday sunday good make makes made get gets got go goes going use uses used want wants need needs run runs say says said called call like people person team time first last next still also every since until called one two',
  ),
);

function termsOf(context: string, names: ReadonlySet<string>): Map<string, number> {
  const terms = new Map<string, number>();
  for (const term of extractTerms(context)) {
    if (names.has(term)) continue;
    terms.set(term, PLAIN.has(term) ? 0.4 : 1);
  }
  return terms;
}

/** Names and numbers in the middle of a sentence: what is seldom the same by chance. */
function detailsOf(context: string, names: ReadonlySet<string>): Set<string> {
  const found = context.matchAll(/(?<=[\p{L}\p{N},;:"“(–-]\s?["“(]?)\p{Lu}[\p{L}\p{N}-]+|\b\d{2,}[\d.:,]*\b/gu);
  return new Set([...found].flatMap(([word]) => extractTerms(word)).filter((term) => !names.has(term)));
}

/** Whether a description names the other bearer: as the same, as somebody else, or not at all. */
function mentionOf({ name, context }: Described, other: Described): 'same' | 'other' | 'none' {
  const own = new Set(wordForms(name));
  for (const alias of [other.name, ...other.aliases]) {
    const words = wordForms(alias);
    const telling = words.filter((word) => !own.has(word) && word.length > 1);
    if (telling.length === 0) continue;
    const said = new Set(wordForms(context));
    if (!telling.every((word) => said.has(word))) continue;
    const isWhole = words.every((word) => said.has(word));
    const isAside = new RegExp(
      String.raw`\(\s*[^()]*${escape(alias)}[^()]*\)|\b(?:is|are|=|,) (?:how |what |our |the )?${escape(alias)}`,
      'iu',
    ).test(context);
    if (isWhole && (RENAMED.test(context) || isAside)) return 'same';
    return 'other';
  }
  return 'none';
}

function wordForms(text: string): string[] {
  return (text.replaceAll(/['’]s\b/gu, '').match(/[\p{L}\p{N}+#]+/gu) ?? []).map(
    (word) => spellings(word)[0] ?? word.toLowerCase(),
  );
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** What is known of somebody without their names: those are compared by themselves, and would drown the rest. */
export function contextForMeaning({ context }: Described, both: readonly Described[]): string {
  const names = new Set(namesOf(both).flatMap(wordForms));
  return context.replaceAll(/[\p{L}\p{N}+#]+/gu, (word) => (names.has(wordForms(word)[0] ?? '') ? '' : word));
}

function namesOf(both: readonly Described[]): string[] {
  return both.flatMap(({ name, aliases }) => aliases.concat(name));
}
