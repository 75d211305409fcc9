import type { Heard } from '../kinds/finding.ts';
import { isFirstName } from '../entities/lexicon.ts';
import { findForm, plainFormOf } from '../kinds/forms/find.ts';
import { replyFormOf } from '../kinds/reply-forms.ts';
import { stemOf, wordsOf } from '../text/words.ts';
import { dialogueFeatures } from './dialogue.ts';
import { grammarFeatures } from './grammar.ts';
import { CHOICE_PATTERNS } from './patterns-choice.ts';
import { JUNK_PATTERNS } from './patterns-junk.ts';
import { KNOW_PATTERNS } from './patterns-know.ts';

const PATTERNS = Object.entries({ ...CHOICE_PATTERNS, ...KNOW_PATTERNS, ...JUNK_PATTERNS });

/** Words whose presence says how something is meant, whatever it is about. */
const TELLING = new Set(
  (
    'i we you he she they it my our his her me us a an the this that these those is are was were be been am has have had do does did ' +
    'will would can could should must may might need needs have not no never always every all any some only also too so but and or ' +
    'because since if when before after until from to for with without by on at in of as than then now again still already yet just ' +
    "don't doesn't didn't isn't aren't can't won't i'm i've i'll we're we've we'll it's that's he's she's let's there's there who which what how " +
    'want wants like love hate prefer get gets got go goes going take takes keep keeps use uses put make makes come comes stay stays ' +
    'good bad new old first last next other same ok yes please today tomorrow week month year day morning evening time thing one two'
  ).split(' '),
);

/** How far from a talk a conversation is before it counts as work of tools. */
const TOOL_WORK = 0.8;

/** Everything a statement is judged by, as names of what is present. */
export function featuresOf(heard: Heard): string[] {
  return [
    ...new Set([
      ...formFeatures(heard),
      ...modalityFeatures(heard),
      ...patternFeatures(heard),
      ...wordFeatures(heard),
      ...grammarFeatures(heard),
      ...dialogueFeatures(heard),
      ...plainFeatures(heard),
      ...sessionFeatures(heard),
    ]),
  ];
}

function* patternFeatures({ utterance }: Heard): Generator<string> {
  for (const [name, pattern] of PATTERNS) if (pattern.test(utterance.plain)) yield `p:${name}`;
  for (const opener of utterance.openers) yield `o:${opener.split(' ')[0] ?? ''}`;
  const words = wordsOf(utterance.plain);
  for (const word of words) if (TELLING.has(word)) yield `w:${word}`;
  const [first] = words;
  if (first !== undefined && TELLING.has(first)) yield `s:${first}`;
}

/** Stems and pairs of neighbours; figures are all alike, and so are names: whose they are says nothing. */
function* wordFeatures({ utterance, scene }: Heard): Generator<string> {
  const plain = utterance.text.toLowerCase().replaceAll(/\d+(?:[.,:]\d+)*/gu, '0');
  const project = scene.conversation.project?.toLowerCase();
  const stems = wordsOf(plain).map((word) => {
    const bare = word.replace(/'s$/u, '');
    if (bare === project || scene.people.nameOf(bare) !== undefined || isFirstName(scene.lexicon, bare)) return 'NAME';
    return stemOf(word);
  });
  for (const [index, stem] of stems.entries()) {
    yield `g:${stem}`;
    yield `b:${stems[index - 1] ?? '^'}_${stem}`;
  }
}

/** Which plain form it has, and which it would have if it were meant: how much a form is worth is fitted, not assumed. */
function* plainFeatures(heard: Heard): Generator<string> {
  const meant = plainFormOf(heard);
  if (meant !== undefined) yield `form:${meant}`;
  yield meant === undefined ? 'form:none' : 'form:any';
  const worded = findForm(heard)?.kind;
  if (worded !== undefined && meant === undefined) yield `formx:${worded}`;
  const reply = replyFormOf(heard);
  if (reply !== undefined) yield `reply:${reply}`;
}

/** Where tools do the work, orders, figures and plans are of the hour: how much less they are worth there is fitted. */
function* sessionFeatures({ utterance, modality, specifics, scene }: Heard): Generator<string> {
  if (scene.strictness < TOOL_WORK) return;
  yield 'c:work';
  yield `c:len${lengthClass(specifics.contentWords)}`;
  if (utterance.index === 0) yield 'c:first';
  if (specifics.numbers > 0) yield 'c:number';
  if (modality.isCommand) yield 'c:command';
  if (JUNK_PATTERNS['deictic']?.test(utterance.plain) === true) yield 'c:deictic';
  if (JUNK_PATTERNS['justNow']?.test(utterance.plain) === true) yield 'c:justNow';
}

function* modalityFeatures({ modality }: Heard): Generator<string> {
  for (const [name, value] of Object.entries(modality)) if (value === true) yield `m:${name}`;
}

function* formFeatures({ utterance, dates, persons, specifics, scene }: Heard): Generator<string> {
  const { plain, text } = utterance;
  yield `len:${lengthClass(specifics.contentWords)}`;
  if (utterance.index === 0) yield 'f:first';
  const turn = scene.turns[utterance.turnIndex] ?? [];
  if (utterance.index === turn.length - 1) yield 'f:last';
  if (scene.conversation.project !== undefined) yield 'f:project';
  if (utterance.isListed) yield 'f:listed';
  if (dates.length > 0) yield 'f:date';
  if (dates.length > 1) yield 'f:dates';
  if (specifics.numbers > 0) yield 'f:number';
  if (specifics.numbers > 1) yield 'f:numbers';
  if (specifics.names > 0) yield 'f:name';
  if (/\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2} ?(?:am|pm|h|uhr)\b/u.test(plain)) yield 'f:clock';
  if (
    /[€$]|\b\d+ ?(?:eur|euros?|k|usd|dollars?|percent|%|gb|mb|ms|kg|g|km|m|cm|mm|min|minutes|hours?|days?|weeks?|v)\b/u.test(
      plain,
    )
  )
    yield 'f:unit';
  if (text.includes('`')) yield 'f:code';
  if (/\b\p{Lu}{3,}\b/u.test(text)) yield 'f:caps';
  if (text.includes('!')) yield 'f:shout';
  if (/\([^)]+\)/u.test(text)) yield 'f:brackets';
  if (persons.length > 0) yield 'f:person';
  if (persons.length > 1) yield 'f:persons';
  const first = /^\p{L}[\p{L}'-]*/u.exec(text)?.[0] ?? '';
  const isNamed = scene.people.nameOf(first) !== undefined || isFirstName(scene.lexicon, first.replace(/'s$/u, ''));
  if (isNamed) yield first.toLowerCase().includes("'s") ? 'f:personOwns' : 'f:personSubject';
  const classes = scene.lexicon.classesOf(first);
  if (classes.includes('Infinitive')) yield 'f:verbStart';
  if (
    !/\b(?:is|are|was|were|am|has|have|had|do|does|did|will|can|must|should|need|get|go|take|want)\b|'(?:s|re|m|ve|ll)\b|n't\b|\p{L}{3,}(?:ed|es|s)\b/u.test(
      plain,
    )
  )
    yield 'f:verbless';
}

function lengthClass(count: number): string {
  if (count <= 2) return '2';
  if (count <= 4) return '4';
  if (count <= 7) return '7';
  if (count <= 12) return '12';
  return 'more';
}
