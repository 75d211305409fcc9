import type { SecretRule } from './rule.ts';

/** A card, named; other cards have numbers that anybody may know. */
const CARD =
  /(?<!(?:library|membership|loyalty|gift|sim|sd|graphics|business|report|student|insurance)[ -]?)(?:(?:credit|debit|bank|payment)[ -]?card|card (?:number|no\b|#)|visa|mastercard|master card|amex|american express|maestro|kreditkarten?|(?:bank|ec-?|giro)karten?|kartennummer|tarjeta|carte (?:bancaire|bleue|de crédit|de paiement|visa)|numéro de (?:la |ma )?carte|\bcard)/giu;
/** The number may stand a few words behind. */
const NUMBER = /^[^\n\d]{0,60}?(?<!\d)(?<number>\d(?:[ -]?\d){12,18})(?![\d-])/du;

/** The sum by which every card number is checked. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/gu, '');
  if (digits.length < 13 || /^(\d)\1+$/u.test(digits)) return false;
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The number of a payment card, where it is called one. */
export const cardRule: SecretRule = {
  *find(text) {
    for (const match of text.matchAll(CARD)) {
      const from = match.index + match[0].length;
      const [start, end] = NUMBER.exec(text.slice(from, from + 100))?.indices?.groups?.['number'] ?? [0, 0];
      if (end === 0 || !isCardNumber(text.slice(from + start, from + end))) continue;
      yield { rule: 'card-number', start: from + start, end: from + end, shownPrefix: '' };
    }
  },
};
