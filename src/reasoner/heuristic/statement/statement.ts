import type { Lexicon } from '../entities/lexicon.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { namePerson } from './meant-person.ts';
import { surroundingsOf } from './neighbours.ts';
import type { NamedDate } from '../dates/dates.ts';
import { capitalise } from '../../../model/text.ts';

/** Words at the edges that add nothing to what is said. */
const LEADING =
  /^(?:(?:ok(?:ay)?|so|btw|by the way|pls|plz|please|well|yeah|yep|fyi|oh|hey|euh|um+|uh+|you know what|good (?:morning|evening)|(?:(?:one|another|two|timeline|something|note|just) (?:more |last |thing )*)?for (?:the record|your notes|your planning|the notes)(?: [^:,.]{1,30})?)\b[\s,.:;!–—-]*|\p{Extended_Pictographic}\uFE0F?\s*)+/iu;
const TRAILING =
  /(?:[\s,.;–—-]+(?:ok(?:ay)?|btw|by the way|pls|plz|please|thx|thanks|lol|haha+|tho|though|yeah|right|fyi))+[\s.,!?…]*$/iu;

/** One sentence made of the speaker's own words, understandable to somebody who was not there. */
export function stateFinding(finding: Finding, scene: Scene): string {
  const { heard } = finding;
  const { language, turn } = heard.utterance;
  const { project } = scene.conversation;
  const user = scene.user === 'The user' ? 'the user' : scene.user;
  if (language !== 'en') return `${scene.user}: “${bare(heard.utterance.text)}”.`;
  const { before, after, lead, person } = surroundingsOf(finding, scene);
  const dated = finding.text ?? writeOutDates(heard.utterance.text, heard.dates);
  const own = person === undefined || before.length > 0 ? dated : namePerson(dated, person);
  const said = [...before.map(({ text }) => text), own, ...after.map(({ text }) => text)].map(trimmed).join('; ');
  // An "I" of the agent or a tool does not refer to a person that a memory knows.
  const spoken =
    turn.role === 'user' && finding.text === undefined
      ? toThirdPerson(frame(said, finding, user, scene.lexicon), { user, lexicon: scene.lexicon })
      : said;
  return finish(lead === undefined ? spoken : `${lead} ${spoken}`, finding, project);
}

/** Forms of address become statements where what follows leaves no doubt. */
function frame(text: string, { kind }: Finding, user: string, lexicon: Lexicon): string {
  if (kind === 'decision') {
    const { not, verb = '' } = /^let's (?<not>not )?(?<verb>\p{L}+)/iu.exec(text)?.groups ?? {};
    if (lexicon.presentOf(verb.toLowerCase()) === undefined) return text;
    return text.replace(/^let's (?:not )?/iu, `${user} decided ${not === undefined ? '' : 'not '}to `);
  }
  if (kind === 'task') {
    return text
      .replace(ON_A_LIST, `${user} has to `)
      .replace(
        /^(?:(?:please|pls|and|also|can you|could you) )*(?:remind me (?:again )?to|don't let me forget to|remember to|don't forget to)\b/iu,
        `${user} has to`,
      );
  }
  return text.replace(/^(?:please )?(?:remember|don't forget|never forget) to /iu, '');
}

const ON_A_LIST =
  /^(?:(?:add|put)(?: this| it)? (?:to|on)(?:to)? (?:my|the|our) (?:[\p{L}-]+ )?list|(?:new )?(?:to-?do|task))\s*[:,–—-]\s*/iu;

function trimmed(text: string): string {
  const inner = bare(text.replace(LEADING, '').replace(TRAILING, ''));
  return inner === '' ? bare(text) : inner;
}

function bare(text: string): string {
  return text.replace(/[\s.,;:!?…]+$/u, '');
}

function finish(text: string, { kind }: Finding, project: string | undefined): string {
  let body = bare(text).replaceAll(/\s+/gu, ' ');
  const isProjects = kind !== 'person' && kind !== 'preference';
  if (isProjects && project !== undefined && project !== '' && !body.toLowerCase().includes(project.toLowerCase())) {
    body += ` [${project}]`;
  }
  return `${capitalise(body)}.`;
}

/** "on friday" → "on friday (2026-03-06)": the words stay, the day no longer depends on when they were said. */
function writeOutDates(text: string, dates: readonly NamedDate[]): string {
  const written = new Set<string>();
  let result = '';
  let start = 0;
  for (const { index, words, date, isFull } of [...dates].sort((one, other) => one.index - other.index)) {
    if (isFull || text.includes(date) || written.has(date)) continue;
    const end = index + words.trimEnd().length;
    if (end < start) continue;
    result += `${text.slice(start, end)} (${date})`;
    written.add(date);
    start = end;
  }
  return result + text.slice(start);
}

interface Speaker {
  /** Stands for "I". */
  readonly user: string;
  readonly lexicon: Lexicon;
}

/** Verbs whose third form no rule gives, with those that have only one. */
const FORMS: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  "haven't": "hasn't",
  do: 'does',
  "don't": "doesn't",
  ...Object.fromEntries(
    "was wasn't had hadn't did didn't will won't would wouldn't can can't cannot could couldn't shall should shouldn't may might must mustn't ought"
      .split(' ')
      .map((word) => [word, word]),
  ),
};
const CONTRACTED: Readonly<Record<string, string>> = { m: 'is', ve: 'has', ll: 'will' };
const ADVERBS = new Set(
  'also always never really just still now usually often generally only actually already finally probably then currently rarely sometimes almost definitely ever even mostly recently strongly personally honestly absolutely'.split(
    ' ',
  ),
);
const FIRST_PERSON = /(?<![\w'/.-])(?:i|me|my)(?![\w.-])/iu;
/** No certain third form: "mine", "myself", and "I'd", which is "had" or "would". */
const UNCERTAIN = /(?<![\w'])(?:mine|myself|i'd|am i|do i|have i|was i|should i|can i|will i)(?![\w'])/iu;

/**
 * First person to third where every verb's form is certain; else the words as they were said. A statement carries its
 * speaker's name elsewhere, so "I" can be understood; a wrong form cannot be undone.
 */
function toThirdPerson(text: string, speaker: Speaker): string {
  const spans = text.split(/(`[^`]*`|"[^"]*")/u);
  const changed = spans.map((span, index) => (index % 2 === 1 ? span : rewrite(span, speaker)));
  return changed.includes(undefined) ? text : changed.join('');
}

function rewrite(text: string, { user, lexicon }: Speaker): string | undefined {
  if (!FIRST_PERSON.test(text)) return UNCERTAIN.test(text) ? undefined : text;
  if (UNCERTAIN.test(text)) return undefined;
  let isCertain = true;
  const result = text
    .replaceAll(/(?<![\w'/.-])i'(m|ve|ll)(?![\w'])/giu, (_whole, ending: string) => {
      return `${user} ${CONTRACTED[ending.toLowerCase()] ?? ''}`;
    })
    .replaceAll(/(?<![\w'/.-])i((?:\s+[\p{L}']+){1,4})/giu, (whole, rest: string, index: number) => {
      const agreed = agree(user, rest, text.slice(index + whole.length), lexicon);
      isCertain &&= agreed !== undefined;
      return agreed ?? whole;
    })
    .replaceAll(/(?<![\w'/.-])my(?![\w'-])/giu, `${user}'s`)
    .replaceAll(/(?<![\w'/.-])me(?![\w'-])/giu, user);
  return isCertain && !/(?<![\w'/.-])i(?![\w'.-])/iu.test(result) ? result : undefined;
}

/** "I usually live" → "Ines usually lives": the verb is the first word behind that is no adverb. */
function agree(user: string, rest: string, after: string, lexicon: Lexicon): string | undefined {
  const words = rest.trim().split(/\s+/u);
  const place = words.findIndex((word) => !ADVERBS.has(word.toLowerCase()) && !/..ly$/u.test(word));
  const verb = words[place]?.toLowerCase();
  if (verb === undefined) return undefined;
  const form = FORMS[verb] ?? (lexicon.isPast(verb) ? verb : lexicon.presentOf(verb));
  if (form === undefined) return undefined;
  // "I live in Graz and work there": the second verb would have to change too; after "to" and "don't" it would not.
  const following = `${words.slice(place + 1).join(' ')}${after}`;
  const isHelping = /^(?:do|don't)$/u.test(verb) || following.startsWith('to ');
  if (form !== verb && !isHelping && sharesSubject(following, lexicon)) return undefined;
  return `${user} ${words.map((word, index) => (index === place ? form : word)).join(' ')}`;
}

function sharesSubject(text: string, lexicon: Lexicon): boolean {
  for (const [, word = ''] of text.matchAll(
    /(?:,|\b(?:and|or|but|then))\s+(?:also |then |just |never |always |don't )?([\p{L}']+)/giu,
  )) {
    const key = word.toLowerCase();
    if (key in FORMS || lexicon.presentOf(key) !== undefined) return true;
  }
  return false;
}

/** Why, as far as the sentence says so. */
export function rationaleOf(text: string): string | undefined {
  const match =
    /\b(?:because(?: of)?|since|bc|the reason (?:is|being)|reason is|so that|otherwise|as it|that's why)\s+(.{4,200})$/iu.exec(
      text,
    );
  return match?.[1]?.replace(/[\s.!;,]+$/u, '');
}

/** When a procedure applies: what stands before its first step. */
export function triggerOf(text: string): string | undefined {
  const leading = /^(?:when(?:ever)?|if|before|after|once|to|for|every time) ([^,:]{3,80})[,:]/iu.exec(text)?.[1];
  return leading ?? /^([\p{L}][^:,]{2,60}):\s/u.exec(text)?.[1];
}

/** Steps in order: numbered, or joined by "then" and commas. Fewer than two are none. */
export function stepsOf(text: string): string[] | undefined {
  const body = text.replace(/^[^:]{2,60}:\s+/u, '');
  const numbered = [...body.matchAll(/(?:^|[\s,;])\d{1,2}[.)]\s*([^\n]+?)(?=[\s,;]+\d{1,2}[.)]\s|$)/gu)].map(
    ([, step]) => step ?? '',
  );
  const steps =
    numbered.length >= 2
      ? numbered
      : body.split(/,?\s*(?:\band then\b|\bonly then\b|\bthen\b|\bafter that\b|→|->)\s*|,\s+|;\s+/iu);
  const clean = steps
    .map((step) => step.replaceAll(/^[\s,;]*(?:first|and|finally)?\s*|[\s.,;!]+$/giu, ''))
    .filter((step) => step !== '');
  return clean.length >= 2 ? clean : undefined;
}
