import type { EntityRecord } from '../stores/registry/entity-record.ts';
import type { Moment } from '../stores/entities/current-facts.ts';
import type { Graph } from './graph.ts';
import type { Link } from './network.ts';
import { edgeHolds, relationFromHere } from './triples.ts';

/** A step of an answer, as `Graph.path` gives it. */
export type AnswerStep = Link & { readonly from: string };

/** Words that stand for a relation, as it reads from the entity that one comes from. */
interface RelationWord {
  readonly words: string;
  readonly reads: readonly string[];
  /** For verbs: as it reads for who comes from their object, "who manages VERA". Nouns have none. */
  readonly inverse?: readonly string[];
}

const WORDS: readonly RelationWord[] = [
  { words: '(?:step|half-)?(?:sisters?|brothers?)|siblings?|twins?', reads: ['sibling-of'] },
  { words: 'wife|husband|spouse', reads: ['married-to'] },
  { words: 'sons?|daughters?|child(?:ren)?|kids?', reads: ['parent-of'] },
  { words: 'mother|mum|mom|father|dad|parents?', reads: ['child-of'] },
  { words: 'boss|manager|supervisor|lead', reads: ['managed-by'] },
  { words: 'employer|company|firm|workplace', reads: ['works-for'] },
  { words: 'employees|staff', reads: ['employs'] },
  { words: 'home town|hometown|home', reads: ['lives-in'] },
  { words: 'owner', reads: ['owned-by'] },
  { words: 'founders?', reads: ['founded-by'] },
  { words: 'successor|replacement', reads: ['superseded-by'] },
  {
    words: 'works? (?:for|at)|worked (?:for|at)|working (?:for|at)|works?|employed by',
    reads: ['works-for'],
    inverse: ['employs'],
  },
  { words: 'lives?(?: in)?|living(?: in)?', reads: ['lives-in'], inverse: ['home-of'] },
  { words: 'reports? to', reads: ['managed-by'], inverse: ['manages'] },
  { words: 'managed by|led by', reads: ['managed-by'], inverse: ['manages'] },
  { words: 'manages?|leads?|heads?', reads: ['manages'], inverse: ['managed-by'] },
  { words: '(?:runs?|running|hosted|deployed) on|hosted|deployed', reads: ['deployed-on'], inverse: ['hosts'] },
  { words: 'runs?', reads: ['manages', 'deployed-on'], inverse: ['managed-by'] },
  { words: 'owned by', reads: ['owned-by'], inverse: ['owns'] },
  { words: 'owns?', reads: ['owns'], inverse: ['owned-by'] },
  { words: 'uses?|using', reads: ['uses'], inverse: ['used-by'] },
  { words: 'depends? on|needs?|requires?|rel(?:y|ies) on', reads: ['depends-on'], inverse: ['required-by'] },
  { words: 'part of|belongs? to', reads: ['part-of'], inverse: ['contains'] },
  { words: 'founded by', reads: ['founded-by'], inverse: ['founded'] },
  { words: '(?:co-)?founded|found(?= *\\?)', reads: ['founded'], inverse: ['founded-by'] },
  { words: 'a member of|member of|members of', reads: ['member-of'], inverse: ['has-member'] },
  { words: 'replaced by', reads: ['superseded-by'], inverse: ['supersedes'] },
  { words: 'replaced|replaces?|took over from', reads: ['supersedes'], inverse: ['superseded-by'] },
  { words: 'married to|married', reads: ['married-to'], inverse: ['married-to'] },
  { words: '(?:based|located)(?: in)?', reads: ['located-in'], inverse: ['location-of'] },
];
/** Where something is, when no verb says it. */
const WHERE: Reading = { relations: ['located-in', 'lives-in', 'deployed-on'], asked: '' };
const QUESTION =
  /^\W*(?:so |and |hey |ok,? |please )*(?:tell me |do (?:you|we) know |remind me )?(?:(?:in|at|for|to|on|with|by) )?(?<wh>whom?|whose|where|which|what)\b/iu;
const SPEAKER = /(?<![\p{L}'])(?:my|i|our|we)(?![\p{L}'])/giu;
const OWNED = /(?:'s?|\b(?:my|our|his|her|their)) (?:(?:big|little|older|younger|elder|new|current|twin) )?$/iu;

const COMPILED = WORDS.map((word) =>
  Object.assign({ pattern: new RegExp(`(?<![\\p{L}'-])(?:${word.words})(?![\\p{L}-])`, 'giu') }, word),
);

/** A step to go: any of these relations, to somebody who may be called so. */
interface Reading {
  readonly relations: readonly string[];
  readonly asked: string;
}

interface Said {
  readonly words: string;
  readonly at: number;
  readonly end: number;
  readonly word: RelationWord;
}

/** The words for relations in a question; a noun counts beside its owner ("my boss", "the boss of"), not "the company that …". */
function relationWords(question: string): Said[] {
  const found: Said[] = [];
  for (const { pattern, ...word } of COMPILED) {
    for (const { 0: words, index: at } of question.matchAll(pattern)) {
      const end = at + words.length;
      const isOwned = OWNED.test(question.slice(0, at));
      const isNoun = word.inverse === undefined;
      if (isNoun ? isOwned || /^ of\b/iu.test(question.slice(end)) : !isOwned) found.push({ words, at, end, word });
    }
  }
  // The longest words of those that overlap: "runs on" is not "runs".
  const longest = found.filter(
    (one) =>
      !found.some(
        (other) =>
          other !== one && other.at <= one.at && other.end >= one.end && other.end - other.at > one.end - one.at,
      ),
  );
  return longest.sort((left, right) => left.at - right.at);
}

export interface ChainQuestion {
  readonly moment: Moment;
  readonly accepts: (link: Link) => boolean;
  /** Whether what is in a file may be called so: nobody's brother is a "sister". */
  readonly couldBe: (path: string, called: string) => boolean;
  /** Whom and what the question names, with the place of each name; `undefined` stands for the speaker. */
  readonly named: readonly { readonly record: EntityRecord; readonly at: number }[];
  readonly user: EntityRecord | undefined;
}

/** Most answers to a question. */
const MAX_ANSWERS = 5;

/** Whether a question asks for something by at least two relations; cheap, so that the graph is opened for these only. */
export function asksByRelations(question: string): boolean {
  const read = question.replaceAll('’', "'");
  const wh = QUESTION.exec(read)?.groups?.['wh']?.toLowerCase();
  if (wh === undefined) return false;
  return relationWords(read).length + (wh === 'where' ? 1 : 0) >= 2;
}

/**
 * Answers "where does my sister's husband work?" by walking the relations that a question names, from whom it names, in the
 * order in which its words lead there. Nothing where the words do not lead to anybody.
 */
export function answerByRelations(
  graph: Graph,
  question: string,
  { moment, accepts, couldBe, named, user }: ChainQuestion,
): (readonly AnswerStep[])[] {
  const read = question.replaceAll('’', "'");
  const wh = QUESTION.exec(read)?.groups?.['wh']?.toLowerCase();
  const words = relationWords(read);
  if (wh === undefined || words.length === 0) return [];
  const speaker =
    user === undefined ? [] : Array.from(read.matchAll(SPEAKER), ({ index }) => ({ record: user, at: index }));
  const anchors = named.length > 0 ? named : speaker.slice(0, 1);
  const { network } = graph;
  const isAnswer = (path: string): boolean => {
    const record = network.record(path);
    if (record === undefined || anchors.some((anchor) => anchor.record.path === path)) return false;
    if (wh === 'who' || wh === 'whom' || wh === 'whose') return record.type === 'person';
    return wh !== 'where' || record.type !== 'person';
  };
  for (const anchor of anchors) {
    for (const reads of ordersOf(read, words, anchor.at, wh)) {
      if (reads.length < 2) continue;
      const found = walk(graph, anchor.record.path, reads, { moment, accepts, couldBe }).filter((steps) =>
        isAnswer(steps.at(-1)?.other ?? ''),
      );
      if (found.length > 0) return found.slice(0, MAX_ANSWERS);
    }
  }
  return [];
}

/** Orders in which the relations may be meant, the likeliest first; each as the readings of every step. */
function ordersOf(question: string, words: readonly Said[], anchor: number, wh: string): (readonly Reading[])[] {
  const right = words.filter(({ at }) => at > anchor);
  const left = words.filter(({ at }) => at < anchor).reverse();
  const forward = ({ word, words: asked }: Said): Reading => ({ relations: word.reads, asked });
  const isNoun = ({ word }: Said): boolean => word.inverse === undefined;
  // "Where is the company based that …": such a verb says where, whatever stands behind it.
  const isPlace = ({ word }: Said): boolean =>
    wh === 'where' && WHERE.relations.some((each) => word.reads.includes(each));
  const inner = right.filter((each) => !isPlace(each));
  const outer = left.filter((each) => !isPlace(each));
  const backward = outer.map((each) =>
    Object.assign(forward(each), { relations: each.word.inverse ?? each.word.reads }),
  );
  const place = words.filter(isPlace).map(forward);
  // "Where is my sister's company?" asks for one step more than "where does my sister work?"
  const isOpen = wh === 'where' && place.length === 0 && !/\bwhere (?:does|do|did)\b/iu.test(question);
  const end = isOpen ? [WHERE] : place;
  const plain = [...inner.map(forward), ...backward, ...end];
  // "… the boss of my sister work": a verb at the end comes after the nouns on either side.
  const split = [
    ...inner.filter(isNoun).map(forward),
    ...backward,
    ...inner.filter((each) => !isNoun(each)).map(forward),
    ...end,
  ];
  const isAsking = /\b(?:does|do|did|is|are|was)\b/iu.test(question.slice(0, Math.max(0, anchor)));
  return isAsking ? [split, plain] : [plain, split];
}

function walk(
  graph: Graph,
  start: string,
  reads: readonly Reading[],
  { moment, accepts, couldBe }: Pick<ChainQuestion, 'moment' | 'accepts' | 'couldBe'>,
): (readonly AnswerStep[])[] {
  let paths: (readonly AnswerStep[])[] = [[]];
  for (const { relations: wanted, asked } of reads) {
    paths = paths.flatMap((steps) => {
      const from = steps.at(-1)?.other ?? start;
      const seen = new Set([start, ...steps.map(({ other }) => other)]);
      return graph.network
        .links(from)
        .filter((link) => {
          const relation = relationFromHere(graph.ontologyFor(link.edge.path), link);
          const isWanted = relation !== undefined && wanted.includes(relation);
          const isNew = !seen.has(link.other) && accepts(link);
          return isWanted && isNew && couldBe(link.other, asked) && edgeHolds(graph.network, link.edge, moment);
        })
        .map((link) => steps.concat(Object.assign({ from }, link)));
    });
  }
  return paths;
}
