import path from 'node:path';
import { stemmer } from 'stemmer';
import { MnemeError } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { STOP_WORDS, splitWords } from '../search-index/text/terms.ts';
import { IGNORE_FILE, listItems } from '../workspace/formats/control-files.ts';

/** Says nothing about a subject: "my divorce" is about the divorce. */
const POSSESSIVES: ReadonlySet<string> = new Set(
  'my our mein meine meinen meiner meinem meines unser unsere der die das den dem mi mis nuestra nuestro el la los las mon ma mes notre nos le les'.split(
    ' ',
  ),
);

/** From this length on a word is also found at the beginning of a longer one: "divorce" in "divorced", "Scheidung" in "Scheidungsanwalt". */
const OPEN_LENGTH = 6;
/** Shorter words may only get an ending: "Anna" is not "Annabelle". */
const SHORTEST_WITH_ENDING = 4;
const LONGEST_ENDING = 2;

/** Subjects that the user wants nothing to be learned about. */
export interface IgnoreRules {
  /** The rule that a text falls under, as the user wrote it; undefined where none does. */
  find(text: string): string | undefined;
}

type AliasesOf = (name: string) => readonly string[];

/** The rules of a workspace, as its file says now. */
export function readIgnoreRules(root: string, aliasesOf: AliasesOf = () => []): IgnoreRules {
  const text = nodeFileSystem.read(path.join(root, IGNORE_FILE))?.toString('utf8');
  return text === undefined ? { find: () => undefined } : createIgnoreRules(listItems(text), aliasesOf);
}

/** A rule names a subject, or several with commas between; each is found by all of its words, in any form and order. */
export function createIgnoreRules(rules: readonly string[], aliasesOf: AliasesOf = () => []): IgnoreRules {
  const compiled = rules.map((rule) => {
    const names = rule.split(',').map((name) => name.trim());
    const subjects = names.concat(names.flatMap((name) => aliasesOf(withoutPossessives(name)))).map(tellingWords);
    return { rule, subjects: subjects.filter((words) => words.length > 0) };
  });
  return {
    find: (text) => {
      if (compiled.length === 0) return undefined;
      const words = wordsOf(text);
      const isSaid = (wanted: string): boolean => words.some((word) => isForm(word, wanted));
      return compiled.find(({ subjects }) => subjects.some((subject) => subject.every(isSaid)))?.rule;
    },
  };
}

/** Whether a rule has a word to be found by; without one it covers nothing. */
export function namesSomething(rule: string): boolean {
  return wordsOf(rule).length > 0;
}

/** Refuses what an agent wants to keep about such a subject. */
export function refuseIgnored(rule: string): never {
  throw new MnemeError('refused', `The user wants nothing kept about "${rule}".`, {
    hint: `Leave it out. Only the user can change that: \`mneme learn ignore remove "${rule}"\`.`,
  });
}

function wordsOf(text: string): readonly string[] {
  return splitWords(text).map((word) => word.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, ''));
}

function withoutPossessives(name: string): string {
  const words = name.split(/\s+/u);
  const rest = words.filter((word) => !POSSESSIVES.has(word.toLowerCase()));
  return rest.length === 0 ? name : rest.join(' ');
}

/** A rule made of nothing but small words keeps them rather than forbidding everything. */
function tellingWords(name: string): readonly string[] {
  const words = wordsOf(name);
  const telling = words.filter((word) => !STOP_WORDS.has(word) && !POSSESSIVES.has(word));
  return telling.length === 0 ? words : telling;
}

/** Scripts that put no blanks between words: what is split there is a whole clause. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

function isForm(word: string, wanted: string): boolean {
  if (UNSPACED.test(wanted) && word.includes(wanted)) return true;
  if (word === wanted || stemmer(word) === stemmer(wanted)) return true;
  const [short, long] = word.length < wanted.length ? [word, wanted] : [wanted, word];
  if (!long.startsWith(short) || short.length < SHORTEST_WITH_ENDING) return false;
  const isOpen = short === wanted && short.length >= OPEN_LENGTH;
  return isOpen || long.length - short.length <= LONGEST_ENDING;
}
