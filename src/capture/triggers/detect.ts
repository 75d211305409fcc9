import { realName } from '../../model/knowledge.ts';
import { turnText, type Turn } from '../../workspace/formats/transcript.ts';
import { findContent } from './content.ts';
import { type AskedKind, type Trigger, judgeRequest } from './judge-request.ts';
import { asksPrivacy, findStandingRule } from './privacy.ts';
import { cutSentences, joinStretches, type Stretch } from '../../judge/handed-over/sentences.ts';
import { asksOfText, handedOverTexts, ownWords, splitMessage } from '../../judge/handed-over/split.ts';

/** The longest text read at once: about as much as the model reads. */
const LONGEST_READ_CHARS = 600;
/** In a longer message people ask at the beginning or at the end; what stands between is mostly pasted. */
const READ_AT_EACH_END = 2;
/** The lead over "nothing" that a single sentence needs to count as a request beside another one. */
const SURE_LEAD = 2;
/** Shorter sentences before "remember that" are greetings, not something to remember. */
const MIN_WORDS_BEFORE = 3;

interface Asked extends Stretch {
  readonly kind: AskedKind;
  /** The sentence that asks, where a single one does. */
  readonly sentence?: Stretch | undefined;
}

/** Finds what a message asks of the memory: to remember, forget, ignore, reflect or recall. What is quoted or pasted asks nothing. */
export function detectTriggers(text: string): readonly Trigger[] {
  const rule = findStandingRule(text);
  if (rule !== undefined) {
    const { subject: content, start, end } = rule;
    return [
      {
        kind: 'ignore',
        phrase: text.slice(start, end),
        start,
        end,
        content,
        refersBack: false,
        isHandedOver: false,
        permanently: false,
      },
    ];
  }
  const split = splitMessage(text);
  const own = ownWords(text, split);
  const handedOver = handedOverTexts(text, split);
  const sentences = cutSentences(own).filter(
    ({ start, end }) => handedOver.length === 0 || !asksOfText(own.slice(start, end)),
  );
  const stretches = joinStretches(sentences, LONGEST_READ_CHARS);
  const isRead = (place: number): boolean => place < READ_AT_EACH_END || place >= stretches.length - READ_AT_EACH_END;
  return stretches
    .filter((_stretch, place) => isRead(place))
    .flatMap((stretch) => findAsked(own, stretch, sentences))
    .map((asked) => toTrigger(text, own, asked, sentences))
    .map((trigger) => onHandedOver(text, trigger, handedOver))
    .filter(({ kind, content }) => kind !== 'remember' || content === undefined || SAYS_SOMETHING.test(content));
}

/** "the" is nothing to remember: the message was read wrongly. */
const SAYS_SOMETHING = /\S\s+\S|\p{L}{4}|\p{N}/u;

/** Several sentences may each ask for something; otherwise they ask together. */
function findAsked(own: string, stretch: Stretch, sentences: readonly Stretch[]): readonly Asked[] {
  const together = judge(own, stretch);
  const inside = sentences.filter(({ start, end }) => start >= stretch.start && end <= stretch.end);
  if (inside.length < 2) return together === undefined ? [] : [together];
  const alone = inside.flatMap((sentence) => judge(own, sentence, SURE_LEAD) ?? []);
  if (alone.length >= 2 || together === undefined) return alone;
  return [{ ...together, sentence: alone.find(({ kind }) => kind === together.kind) }];
}

function judge(own: string, { start, end }: Stretch, least = 0): Asked | undefined {
  const { answer, lead } = judgeRequest(own.slice(start, end).trim());
  return answer === 'none' || lead < least ? undefined : { kind: answer, start, end };
}

function toTrigger(text: string, own: string, asked: Asked, sentences: readonly Stretch[]): Trigger {
  const { kind } = asked;
  const inSentence = asked.sentence === undefined ? undefined : findContent(text, asked.sentence, kind);
  const inside = inSentence ?? findContent(text, asked, kind);
  const found = inside ?? (kind === 'remember' ? sentenceBefore(own, asked, sentences) : undefined);
  // A question is best answered as it was asked, where no words of it stand out.
  const content = found ?? (kind === 'recall' ? trimmedStretch(text, asked) : undefined);
  const phrase = phraseBeside(text, asked, content, sentences);
  return {
    kind,
    phrase: text.slice(phrase.start, phrase.end),
    ...phrase,
    content: content === undefined ? undefined : text.slice(content.start, content.end),
    refersBack: content === undefined && kind !== 'reflect',
    isHandedOver: false,
    permanently: kind === 'forget' && isPermanent(own, asked, content),
  };
}

/** "Remember these notes:" with a text below asks for the text to be kept, which stays somebody else's. */
function onHandedOver(text: string, trigger: Trigger, handedOver: readonly Stretch[]): Trigger {
  const { kind, content, refersBack } = trigger;
  if (kind !== 'remember') return trigger;
  const said = content === undefined ? trigger.end : text.indexOf(content, trigger.start) + content.length;
  const below = handedOver.find(({ start }) => start >= trigger.start);
  if (below === undefined) return trigger;
  const between = text.slice(Math.max(said, trigger.end), below.start);
  const isAnnounced = /^[^\p{L}\p{N}]*$/u.test(between) && between.includes(':');
  if (!isAnnounced && !(refersBack && /^[^\p{L}\p{N}]*$/u.test(between))) return trigger;
  const handed = text.slice(below.start, below.end).trim();
  return { ...trigger, content: handed, refersBack: false, isHandedOver: true };
}

/** Finds the sentence that "remember that" points to inside a message. */
function sentenceBefore(own: string, { start }: Stretch, sentences: readonly Stretch[]): Stretch | undefined {
  const before = sentences.findLast(({ end }) => end <= start);
  if (before === undefined || own.slice(before.end, start).includes('\n')) return undefined;
  const words = own.slice(before.start, before.end).match(/\S+/gu) ?? [];
  const isQuestion = own.slice(before.start, before.end).trimEnd().endsWith('?');
  return words.length < MIN_WORDS_BEFORE || isQuestion ? undefined : trimmedStretch(own, before);
}

/** The words that ask: in the content's sentence what stands before it, or behind it; otherwise the sentences around. */
function phraseBeside(
  text: string,
  asked: Asked,
  content: Stretch | undefined,
  sentences: readonly Stretch[],
): Stretch {
  const whole = asked.sentence ?? asked;
  if (content === undefined || content.start < asked.start) return trimmedStretch(text, whole) ?? whole;
  const host = sentences.find(({ start, end }) => start <= content.start && content.start < end) ?? whole;
  const parts = [
    { start: Math.max(host.start, asked.start), end: content.start },
    { start: content.end, end: Math.max(content.end, Math.min(host.end, asked.end)) },
    { start: content.end, end: asked.end },
    { start: asked.start, end: content.start },
  ];
  return parts.map((part) => trimmedStretch(text, part)).find((part) => part !== undefined) ?? whole;
}

function trimmedStretch(text: string, { start, end }: Stretch): Stretch | undefined {
  const part = text.slice(start, end);
  const words = /[\p{L}\p{N}][\s\S]*[\p{L}\p{N}]|[\p{L}\p{N}]/u.exec(part);
  return words === null ? undefined : { start: start + words.index, end: start + words.index + words[0].length };
}

/** Said of forgetting: it is to be erased, not archived. */
const FOR_GOOD =
  /(?<![\p{L}\p{N}])(?<not>(?:not|dont|don['’]t|without|never|nicht|no|sin|pas|ne|sans) )?(?:permanently|forever|for good|for ever|irrevocably|once and for all|for all time|erase|wipe|purge|endgültig|für immer|dauerhaft|unwiderruflich|permanent|ein für alle ?mal|para siempre|permanentemente|definitivamente|de (?:forma|manera) (?:permanente|definitiva)|de una vez por todas|définitivement|pour toujours|à jamais|pour de bon|une fois pour toutes|de façon permanente)(?![\p{L}\p{N}])/giu;

/** Whether a request says so beside what is to go, not in it: "forget that I moved permanently to Oslo" asks for less. */
function isPermanent(own: string, { start, end }: Stretch, content: Stretch | undefined): boolean {
  return Array.from(own.slice(start, end).matchAll(FOR_GOOD)).some(({ index, groups, 0: words }) => {
    const [from, to] = [start + index, start + index + words.length];
    const isInside = content !== undefined && from >= content.start && to <= content.end;
    return groups?.['not'] === undefined && !isInside;
  });
}

/** A text of this length hides no request; a pasted book seems full of them. */
const MAX_WISH_CHARS = 20_000;

/** In a group chat everybody writes as a user; only one of them is the person whose memory this is. */
export function isSomebodyElse({ role, name }: Pick<Turn, 'role' | 'name'>, user: string | undefined): boolean {
  const [said, known] = [realName(name)?.toLowerCase(), realName(user)?.toLowerCase()];
  if (role !== 'user' || said === undefined || known === undefined) return false;
  return said !== known && !known.startsWith(`${said} `) && !said.startsWith(`${known} `);
}

/** Finds the memory requests in a user's own turn. */
export function wishesIn(turn: Pick<Turn, 'role' | 'name' | 'parts'>, user: string | undefined): readonly Trigger[] {
  const text = turnText(turn);
  const isUsers = turn.role === 'user' && text.length <= MAX_WISH_CHARS && !isSomebodyElse(turn, user);
  return isUsers ? detectTriggers(text) : [];
}

/** Whether a user's own turn asks that the conversation be private. */
export function asksForPrivacy(turn: Pick<Turn, 'role' | 'name' | 'parts'>, user: string | undefined): boolean {
  return turn.role === 'user' && !isSomebodyElse(turn, user) && asksPrivacy(turnText(turn));
}

/** Whether a stretch of a conversation asks anything of the memory; cheap, so that a hook opens nothing for nothing. */
export function hasWishes(turns: readonly Turn[], user: string | undefined): boolean {
  return turns.some((turn) => wishesIn(turn, user).length > 0);
}
