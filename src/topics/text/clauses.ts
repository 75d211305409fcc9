import type { TextWord } from './words.ts';

/** A stretch of a message that says one thing, as numbers of its words. */
export interface Clause {
  readonly first: number;
  readonly last: number;
  readonly text: string;
  /** Something is wanted here: asked, ordered, needed. */
  readonly isAsk: boolean;
  /** Wanted by an imperative or a plea: something is to be done. */
  readonly isOrder: boolean;
  /** What follows is the point, and what came before it was not ("…, but", "anyway,"). */
  readonly isTurn: boolean;
}

const BREAK =
  /[.!?;:]+(?=\s|$)|\n+|\s[–—-]+\s|[()]|,\s+(?=(?:but|so|and|though|although|however|anyway|because|which|while|whereas|yet|then|or|could|can|would|will|please|what|how|where|when|why|who|do|does|did|is|are|should|i|we|he|she|they|it|my|the|let|just)\b)|\s(?=(?:but|however|anyway|although|though|because|whereas)\s)/giu;

const TURN =
  /^\W*(?:(?:and|so|ok|okay) )?(?:but|however|anyways?|that said|still|so|now|btw|by the way|meanwhile|in the meantime|first|for now|otherwise|(?:one |an)?other (?:thing|question|topic)|(?:quick|different|separate) (?:thing|topic|question)|unrelated|actually|instead|what i (?:really |actually )?(?:need|want)|i only (?:need|want)|i just (?:need|want)|aber|jedenfalls)\b/iu;

const ASK =
  /\?|^\W*(?:(?:and|but|so|then|also|now|please|pls|anyway|ok|okay|hey|hi|could|can|would|will)\W+)*(?:can|could|would|will|may|shall|should|do|does|did|is|are|was|were|have|has|what|what's|whats|how|how's|where|when|why|which|who)\b|\b(?:please|pls|can you|could you|would you|will you|i need|we need|i want|we want|i'd like|i would like|help me|help us|let's|lets|remind me|tell me|show me|give me|i have to|we have to|i must|need to|needs to|want to|bitte|kannst du|how do i|how should|what should)\b/iu;

/** Verbs that requests begin with. */
const ORDER =
  /^\W*(?:(?:and|but|so|then|also|now|please|pls|anyway|ok|okay|hey|hi)\W+)*(?:add|answer|apply|arrange|ask|book|build|buy|calculate|call|cancel|change|check|clean|collect|compare|compile|complete|convert|correct|create|cut|debug|delete|deploy|describe|design|do|draft|edit|enter|estimate|explain|export|figure|file|fill|find|finish|fix|forward|generate|get|give|go|help|implement|import|install|list|look|make|merge|move|note|open|order|pack|pay|plan|prepare|print|promote|propose|provision|pull|push|put|quarantine|read|record|refactor|remind|remove|rename|reply|rerun|reschedule|research|restart|restore|review|revert|rewrite|roll|run|save|schedule|search|send|set|ship|show|shorten|sort|spin|split|start|stop|submit|suggest|summarise|summarize|swap|take|tear|tell|test|track|translate|triage|try|turn|undo|update|upgrade|use|verify|walk|water|work|write)\b/iu;

const PLEA = /\b(?:please|pls|plz|can you|could you|would you|will you|let's|lets|bitte|kannst du)\b/iu;

/** Cuts a message into clauses; every word is in exactly one. */
export function readClauses(text: string, words: readonly TextWord[]): Clause[] {
  const cuts = [...text.matchAll(BREAK)].map((match) => match.index + match[0].length);
  const clauses: Clause[] = [];
  let first = 0;
  let start = 0;
  for (const cut of [...cuts, text.length]) {
    let last = first;
    while (last < words.length && (words[last]?.start ?? 0) < cut) last += 1;
    if (last === first) continue;
    const part = text.slice(start, cut);
    clauses.push({
      first,
      last: last - 1,
      text: part,
      isAsk: ASK.test(part) || ORDER.test(part),
      isOrder: ORDER.test(part) || PLEA.test(part),
      isTurn: TURN.test(part),
    });
    first = last;
    start = cut;
  }
  return clauses;
}

export function clauseOf(clauses: readonly Clause[], word: number): Clause | undefined {
  return clauses.find(({ first, last }) => first <= word && word <= last);
}
