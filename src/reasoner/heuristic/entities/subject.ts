import type { EntityMention, KnowledgeKind } from '../../../model/knowledge.ts';
import type { Scene } from '../kinds/finding.ts';
import { isFirstName, type Lexicon, type TaggedWord } from './lexicon.ts';
import { RELATION_NOUN } from './people.ts';

/** Nouns for the things people work on; a name beside one of these is a thing's. */
const THING =
  /^(?:project|app|application|api|service|server|site|website|webshop|repo|repository|backend|frontend|cluster|database|db|team|product|platform|pipeline|dashboard|library|package|client|bot|game|module|system|codebase|campaign|launch|redesign|migration|rollout|renovation|conference|thesis|paper|course|shop|portal|newsletter|podcast|plugin|extension|firmware|device|prototype|programme|program|initiative|workstream|contract|account|release)s?$/iu;
const ORGANISATION =
  /\b(?:inc|gmbh|ltd|llc|corp|corporation|ag|plc|company|partners|bank|university|hospital|clinic|school|institute|foundation|agency)\.?$/iu;
/** Capitalised, and no name. */
const NO_NAME =
  /^(?:i|the|a|an|our|my|we|you|your|he|she|they|it|this|that|these|those|in|on|for|at|from|with|when|if|before|after|all|each|every|no|user|users?|mr|mrs|ms|dr|prof|english|german|french|spanish|italian|japanese|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december|todo|note|wifi|wi-fi|ok|ich|wir|mein\p{L}*|unser\p{L}*|der|die|das|ein\p{L}*|zum|zur|für|yo|mi|el|la|los|las|un|una|je|mon|ma|le|les|une|nous)$/iu;
/** Verbs of things that have names: a word before it without an article is one. */
const THINGS_DO =
  /^(?:uses?|runs?|ships?|supports?|listens?|deploys?|depends?|connects?|talks?|stores?|exposes?|requires?|launches|has|hosts?|targets?|sends|reads|writes)$/iu;
const RELATIVE = new RegExp(`^${RELATION_NOUN}$`, 'iu');
/** Nouns that describe one undertaking: "our kitchen renovation". */
const UNDERTAKING =
  'project|app|application|api|service|website|site|webshop|repo|backend|frontend|cluster|platform|pipeline|codebase|campaign|redesign|migration|rollout|renovation|podcast|newsletter|portal|initiative|workstream|thesis|game|case|conversion|club|choir|band|novel|store|server';
/** `the billing-service repo`: how machines' things are named. */
const IDENTIFIER = new RegExp(
  `^(?:(?:the|our|my|in|on|for) )*(?<name>[\\p{L}\\p{N}]+(?:[-_][\\p{L}\\p{N}]+)+)(?: (?:${UNDERTAKING}|server|database|module|package|library|branch)\\b|(?<=[-_](?:${UNDERTAKING}|server|db|web|ui|client|core))\\b)`,
  'iu',
);
const DESCRIBED = new RegExp(
  `^(?:(?:in|on|for) )?(?:the|our) (?<name>(?:\\p{L}[\\p{L}-]+ ){1,2}(?:${UNDERTAKING})|thesis|novel|startup|blog|album)\\b(?! (?:of|for|is (?:called|named))\\b)`,
  'iu',
);

interface Name {
  readonly name: string;
  readonly words: readonly TaggedWord[];
  /** Whether the words beside it call it a thing. */
  readonly isThing: boolean;
}

/**
 * Whom or what a statement is about: the last name before its verb ("the user's sister Ana lives …", "the Falcon API
 * listens …"), or the one it gives ("our staging cluster is called Heron"). Undefined where nothing is named there.
 */
export function subjectNamed(
  statement: string,
  kind: KnowledgeKind | undefined,
  scene: Scene,
): EntityMention | undefined {
  if (kind === 'preference' || kind === 'procedure') return undefined;
  const spoken = statement.replaceAll(scene.user, () => 'the user');
  const words = mayName(spoken) ? scene.lexicon.wordsIn(spoken).filter(({ text }) => text !== '') : [];
  const verb = words.findIndex(({ tags, text }, at) => at > 0 && tags.has('Verb') && !THING.test(text));
  const lead = verb === -1 ? [] : words.slice(0, verb);
  const isDoing = lead.length <= 2 && THINGS_DO.test(words[verb]?.text ?? '');
  const names = namesIn(lead, { lexicon: scene.lexicon, isDoing });
  const thing = names.find(({ isThing }) => isThing);
  const found =
    (kind === 'person' ? names.at(-1) : (thing ?? names.at(-1))) ??
    calledIn(spoken, lead) ??
    (kind === 'person' ? undefined : describedIn(spoken));
  return found === undefined ? undefined : mentionOf(found, kind, scene);
}

/** Tagging needs a library that takes longer to set up than all the rest, and without a capital it finds no name. */
function mayName(statement: string): boolean {
  const opener = /^\p{L}+(?=[ ,])/u.exec(statement)?.[0] ?? '';
  return /\p{Lu}/u.test(NO_NAME.test(opener) ? statement.slice(opener.length) : statement);
}

function mentionOf({ name, words, isThing }: Name, kind: KnowledgeKind | undefined, scene: Scene): EntityMention {
  const known = scene.conversation.known?.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  const type = scene.types.get(name.toLowerCase());
  if (type !== undefined) return { name, type };
  const isPersons = words.some(
    ({ text, tags }) => tags.has('FirstName') || tags.has('Person') || scene.people.nameOf(text) !== undefined,
  );
  if (!isThing && (kind === 'person' || isPersons)) return { name, type: 'person' };
  return { name, type: ORGANISATION.test(name) ? 'organization' : 'project' };
}

/** Names before the verb, in order: capitalised words that stand together. */
function namesIn(lead: readonly TaggedWord[], parts: { readonly lexicon: Lexicon; readonly isDoing: boolean }): Name[] {
  const names: Name[] = [];
  let run: TaggedWord[] = [];
  const end = (next: TaggedWord | undefined, before: TaggedWord | undefined): void => {
    const own = run.filter(({ text }, at) => run.length === 1 || at === 0 || !THING.test(bare(text)));
    const proper = own.filter(({ text }) => !THING.test(bare(text)));
    const isThing = run.length > proper.length || isThingWord(next) || isThingWord(before);
    // "The Lisbon office", "Acme's": a place is nobody's page unless something there has the name.
    const isPlace = !isThing && run.every(({ tags }) => tags.has('Place') || tags.has('Date'));
    if (proper.length > 0 && !isPlace)
      names.push({ name: proper.map(({ text }) => bare(text)).join(' '), words: proper, isThing });
    run = [];
  };
  for (const [at, word] of lead.entries()) {
    const text = bare(word.text);
    if (/^\p{Lu}[\p{L}\p{N}'’.&-]*$/u.test(text) && !NO_NAME.test(text) && !isCommonOpener(word, at, parts))
      run.push(word);
    else if (run.length > 0) end(word, lead[at - run.length - 1]);
  }
  if (run.length > 0) end(undefined, lead[lead.length - run.length - 1]);
  return names;
}

function isThingWord(word: TaggedWord | undefined): boolean {
  return word !== undefined && THING.test(bare(word.text));
}

/** A sentence's first word is capitalised whatever it is; only one that no dictionary has as something else is a name. */
function isCommonOpener(
  { text, tags }: TaggedWord,
  at: number,
  { lexicon, isDoing }: { readonly lexicon: Lexicon; readonly isDoing: boolean },
): boolean {
  if (at > 0) return false;
  if (THING.test(text) || RELATIVE.test(text)) return true;
  // Without an article it is a name: "Harbor's API key", "Cobalt only supports …".
  if (tags.has('Possessive') && !tags.has('Date') && !tags.has('Pronoun')) return false;
  if (isDoing && !tags.has('Plural') && !tags.has('Pronoun') && !tags.has('Verb')) return false;
  const classes = lexicon.classesOf(bare(text));
  if (classes.length > 0) return !isFirstName(lexicon, bare(text));
  return [
    'Verb',
    'Determiner',
    'Pronoun',
    'Preposition',
    'Adverb',
    'Conjunction',
    'Gerund',
    'QuestionWord',
    'Date',
  ].some((tag) => tags.has(tag));
}

/** "Our staging cluster is called Heron" is about Heron; "my cat is called Miso" tells of the user. */
function calledIn(statement: string, lead: readonly TaggedWord[]): Name | undefined {
  const name =
    /\b(?:(?:is|was|are)(?: called| named| codenamed)?|name['’]s) (?:Dr\.? |Mrs?\.? |Ms\.? |Prof\.? )?(?<name>\p{Lu}[\p{L}\p{N}-]*(?: \p{Lu}[\p{L}\p{N}-]*)?)/u.exec(
      statement,
    )?.groups?.['name'];
  const isThing = lead.some(isThingWord);
  const isRelative = lead.some(({ text }) => RELATIVE.test(bare(text)));
  return name === undefined || (!isThing && !isRelative) ? undefined : { name, words: [], isThing };
}

/** Finds an undertaking that is described without a name, or has a machine's. */
function describedIn(statement: string): Name | undefined {
  const name = (IDENTIFIER.exec(statement) ?? DESCRIBED.exec(statement))?.groups?.['name'];
  return name === undefined ? undefined : { name, words: [], isThing: true };
}

function bare(text: string): string {
  return text.replace(/['’]s?$/u, '').replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
