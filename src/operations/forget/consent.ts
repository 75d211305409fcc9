/** More words than these tell something; a yes is short. */
const MAX_WORDS = 12;

/** Words with which people say no, or not yet, in the languages Mneme listens to. */
const REFUSALS: ReadonlySet<string> = new Set(
  [
    'no not nope nah never none stop cancel wait hold abort refuse without',
    'dont doesnt didnt wont cant cannot shouldnt mustnt keep undo instead',
    'nein nicht nichts nie niemals ne nee stopp halt warte abbrechen behalte',
    'nunca jamás nada espera cancela detente tampoco',
    'non pas jamais rien arrête attends annule garde',
  ].flatMap((line) => line.split(' ')),
);
/** "don't", "n'efface", "kein", "keine", "keinen" … */
const REFUSING = /n't$|^n'|^kein/u;

/** Whether somebody who wrote the code back meant yes: a code can stand in a question and in a no as well. */
export function isConsent(text: string, code: string): boolean {
  const said = text
    .normalize('NFKC')
    .replaceAll(/[’‘ʼ`´]/gu, "'")
    .toLowerCase();
  const parts = said.split(new RegExp(String.raw`(?<![\p{L}\p{N}])${code.toLowerCase()}(?![\p{L}\p{N}])`, 'u'));
  if (parts.length === 1) return false;
  const rest = parts.join(' ');
  const words = rest.match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];
  const isRefused = words.some((word) => REFUSALS.has(word) || REFUSING.test(word));
  return !isRefused && !/[?？]/u.test(rest) && words.length <= MAX_WORDS;
}
