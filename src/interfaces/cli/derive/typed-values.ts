import { MnemeError } from '../../../model/errors.ts';

/** A whole number as typed. */
export function wholeNumber(text: string, option: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a whole number, not "${text}".`);
}

/** A number as typed, such as 0.7. */
export function decimalNumber(text: string, option: string): number {
  if (/^-?(?:\d+(?:\.\d*)?|\.\d+)$/u.test(text)) return Number(text);
  throw new MnemeError('usage', `${option} takes a number, not "${text}".`);
}

export function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Members of a list of known names, in whatever case they were typed. */
export function knownNames(given: readonly string[], known: readonly string[], option: string): string[] {
  return given.map((one) => {
    const name = known.find((candidate) => candidate === one.toLowerCase());
    if (name !== undefined) return name;
    throw new MnemeError('usage', `${option} does not know "${one}".`, { hint: `There are: ${known.join(', ')}.` });
  });
}
