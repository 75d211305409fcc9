import type { SecretRule, SecretSpan } from './rule.ts';
import { isStrong, isUniqueId, looksLikePassphrase, looksLikePassword, looksRandom, trimBareValue } from './values.ts';

/** Names of secrets in English, German, Spanish and French, and the marks of compounds of such a word. */

/** No letter, digit or underscore before or after: `\b` knows no accents. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_])`;
const AFTER = String.raw`(?![\p{L}\p{N}_])`;

const asWord = (alternatives: string): RegExp => new RegExp(`${BEFORE}(?:${alternatives})${AFTER}`, 'giu');

type NounKind = 'password' | 'secret' | 'pin' | 'cvv' | 'recovery-code';

/** In order: where two begin at the same place, the earlier one names the secret. */
const NOUNS: readonly (readonly [NounKind, RegExp])[] = [
  [
    'recovery-code',
    asWord(
      String.raw`(?:recovery|backup|rescue|emergency|scratch)[ -](?:codes?|keys?)|wiederherstellungs(?:codes?|schlüssels?)|notfallcodes?|(?:códigos?|claves?) de (?:recuperación|respaldo)|(?:codes?|clés?) de (?:récupération|secours)`,
    ),
  ],
  [
    'cvv',
    asWord(
      String.raw`cvv2?|cvc2?|card (?:verification|security) (?:code|number)|security code|(?:karten)?prüfnummer|kartenprüfziffer|código de seguridad|cryptogramme(?: visuel)?`,
    ),
  ],
  [
    'pin',
    asWord(
      String.raw`(?:(?:card|bank|sim|phone|debit|ec|karten?|handy|tarjeta|carte)[ -])?pin|(?<=-)pin|puk|pin[ -](?:code|nummer)|código pin|code pin|geheim(?:code|zahl|nummer)|code secret|código secreto|code de (?:la|ma|sa|votre) carte|clave (?:de|del) (?:la |el )?(?:tarjeta|cajero)`,
    ),
  ],
  [
    'secret',
    asWord(
      String.raw`(?:api|access|auth|webhook|subscription|bot|zugriffs|zugangs|sicherheits)[ -]?(?:keys?|tokens?|schlüssels?|secrets?)|geheimnis(?:ses)?|tokens?|secrets?|clave (?:de |de la )?api|clave secreta|clés? (?:d[’']|de l[’'])?api|clé secrète|jetons?(?: d[’']accès)?`,
    ),
  ],
  [
    'password',
    new RegExp(
      // Compounds end in these (`WLAN-Passwort`); looking for their beginnings would cost more than all other rules.
      String.raw`(?:pass(?:words?|wd|phrase|code|wort(?:e?s)?)|pwd|kennwort(?:e?s)?|zugangscodes?|contraseñas?|mots? de passe|code d[’']accès|código de acceso|(?<![\p{L}\p{N}_])(?:pw|psw|mdp|clave(?: de (?:acceso|paso|entrada))?))${AFTER}`,
      'giu',
    ),
  ],
];

/** `password page`, `password manager`: what follows is about something else. */
const COMPOUND =
  /^[ \t-](?:managers?|pages?|fields?|polic(?:y|ies)|prompts?|hints?|rotation|resets?|lengths?|hash(?:es)?|forms?|generators?|vaults?|files?|strength|changed?|changes|rules?|protected|protection|boxe?s?|checks?|count|budgets?|limits?|expir\w*|prefix(?:es)?|param\w*|variables?|type|header|endpoint|santa|service|server|sharing|list|databases?|attempts?)(?![\p{L}\p{N}_])/iu;

/** Areas have such codes, too. */
const POSTAL = /(?:^|[^\p{L}])(?:area|postal|zip|city|region|town|district|village|delivery)(?:$|[^\p{L}])/iu;

/** Verbs that give it a value. */
const SETTING =
  /(?:^|[^\p{L}])(?:sets?|setting|chang(?:e|es|ed|ing)|reset|updat(?:e|ed)|switched|rotated|made|gesetzt|geändert|setze|ändere|stelle|gestellt|cambi\p{L}{0,5}|puse|pus[eo]|puesto|actualic\p{L}{1,3}|chang[éèea]\p{L}{0,4}|mis|modifi\p{L}{1,4})(?:$|[^\p{L}])/iu;

/** Tokens that are handed out to be passed around: positions in lists, parts of grammars and design systems. */
export const HARMLESS_TOKEN =
  /(?:page|next|continuation|sync|cursor|cancell?ation|pagination|sequence|change|design|stop|eos|bos|pad|unk|mask|special)[\s_-]?$/i;

/** The distance behind its name within which a secret is looked for, and before it the word for what was done to it. */
const REACH = 160;
const LOOK_BACK = 60;

/** Words that a value follows. `to` and its like join other things, too, and are looked at more strictly. */
const IS = String.raw`is|was|are|be|ist|war|sind|lautet|lauten|heißt|heisst|es|era|son|será|est|était|sont|sera|c[’']est`;
const TO = String.raw`to|auf|a|à|en|par|con|avec|mit`;
const LATER = String.raw`(?:[ \t]{1,4}(?:now|jetzt|nun|ahora|maintenant|currently|still|noch|just))?[:,]?`;
const CONNECTOR = new RegExp(
  String.raw`(?<sign>:(?=[ \t"'“„«*_])|：|->|→|={1,2}>|(?<![=!<>])=(?!=))[ \t]{0,8}|(?<![\p{L}\p{N}_])(?:(?<is>${IS})|(?<to>${TO}))(?![\p{L}\p{N}_])${LATER}[ \t]{1,8}`,
  'giu',
);

const VALUE =
  /^[*_]{0,2}(?:["“„«][ \u00a0]?(?<double>[^"“”„«»\n]{3,128}?)[ \u00a0]?["“”»]|['`‘‚](?<single>[^'`’\n]{3,128})['`’]|(?<bare>[^\s"'`<>|“”„«»]{3,256}))/du;

const QUOTED_AT_ONCE = /^[ \t]{1,4}(?=["“„«'`‘‚\p{L}\p{N}])/u;

type How = 'sign' | 'is' | 'to' | 'adjacent';

interface Found {
  readonly start: number;
  readonly value: string;
  readonly isQuoted: boolean;
}

function findValue(window: string, at: number): Found | undefined {
  const match = VALUE.exec(window.slice(at));
  const groups = match?.indices?.groups;
  const quoted = groups?.['double'] ?? groups?.['single'];
  const [start, end] = quoted ?? groups?.['bare'] ?? [0, 0];
  if (end === 0) return undefined;
  const raw = window.slice(at + start, at + end);
  return { start: at + start, value: quoted === undefined ? trimBareValue(raw) : raw, isQuoted: quoted !== undefined };
}

/** As far as the sentence goes, on its line. */
function sentenceAfter(text: string, at: number): string {
  const window = text.slice(at, at + REACH);
  const end = /\n|[.!?][ \t](?=\p{Lu})/u.exec(window)?.index;
  return end === undefined ? window : window.slice(0, end + 1);
}

function isPassword({ value, isQuoted }: Found, how: How, isSet: boolean): boolean {
  if (isQuoted && /\s/u.test(value)) return how !== 'adjacent' && looksLikePassphrase(value);
  if (how === 'adjacent') return isStrong(value);
  return how === 'to' && !isSet ? isStrong(value) : looksLikePassword(value);
}

const PIN = /^\d{4,8}$/u;
const CVV = /^\d{3,4}$/u;
/** `card pin 4711`: without a sign or verb between them, only where it says what the number opens. */
const NAMED_PIN =
  /(?:card|bank|sim|phone|debit|ec|karten?|handy|tarjeta|carte)[ -]?pin$|^puk$|^(?:code|código) pin$|^pin[ -]code$/iu;
const RECOVERY = /^[A-Z0-9]{4,10}(?:-[A-Z0-9]{4,10}){1,15}$/iu;

function isRecoveryCode(value: string): boolean {
  if (!RECOVERY.test(value)) return false;
  const parts = value.split('-');
  return (
    /\d/u.test(value) || (value === value.toUpperCase() && parts.every(({ length }) => length === parts[0]?.length))
  );
}

/** The connection between a name and a value. */
interface Named {
  readonly kind: NounKind;
  readonly noun: string;
  /** The words between the two. */
  readonly gap: string;
  readonly how: How;
  readonly isSet: boolean;
}

function isSecret({ kind, noun, gap, how, isSet }: Named, found: Found): boolean {
  const { value } = found;
  switch (kind) {
    case 'password':
      return isPassword(found, how, isSet);
    case 'secret':
      return how !== 'to' && looksRandom(value) && !isUniqueId(value) && (how !== 'adjacent' || isStrong(value));
    case 'pin':
      return PIN.test(value) && how !== 'to' && !POSTAL.test(gap) && (how !== 'adjacent' || NAMED_PIN.test(noun));
    case 'cvv':
      return CVV.test(value) && how !== 'to';
    default:
      return how !== 'to' && isRecoveryCode(value);
  }
}

function* placesBehind(window: string): Iterable<{ readonly how: How; readonly from: number; readonly at: number }> {
  const adjacent = QUOTED_AT_ONCE.exec(window);
  if (adjacent !== null) yield { how: 'adjacent', from: 0, at: adjacent[0].length };
  for (const match of window.matchAll(CONNECTOR)) {
    const how = match.groups?.['sign'] === undefined ? (match.groups?.['is'] === undefined ? 'to' : 'is') : 'sign';
    yield { how, from: match.index, at: match.index + match[0].length };
  }
}

function findBehind(text: string, kind: NounKind, start: number, noun: string): SecretSpan | undefined {
  const end = start + noun.length;
  const window = sentenceAfter(text, end);
  if (COMPOUND.test(window)) return undefined;
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  if (kind === 'secret' && HARMLESS_TOKEN.test(before)) return undefined;
  const isSet = SETTING.test(before) || SETTING.test(window);
  for (const { how, from, at } of placesBehind(window)) {
    const found = findValue(window, at);
    const gap = window.slice(0, from);
    if (found === undefined || !isSecret({ kind, noun, gap, how, isSet }, found)) {
      // An assigned value that is not a secret: no secret follows it.
      if (how === 'sign' && /^\W*$/u.test(gap)) return undefined;
      continue;
    }
    const begin = end + found.start;
    return { rule: kind, start: begin, end: begin + found.value.length, shownPrefix: '' };
  }
  return undefined;
}

/** `use … as the password`: the value comes first. */
const BEFORE_NOUN =
  /(?<![^\s"'`“„«])(?<secret>[^\s"'`<>|“”„«»]{6,128})["'`”“»]?[ \t](?:as|als|como|comme)(?:[ \t]\p{L}{1,12}){0,3}[ \t](?:password|passwort|kennwort|contraseña|clave|mot de passe)/dgiu;

/** Several codes in a row, or one under the other. */
const MORE_CODES =
  /^(?:[ \t]{0,4}[\n,;/]?[ \t]{0,8}(?:[-*•] |\d{1,2}[.)] )?)(?<code>[A-Z0-9]{4,10}(?:-[A-Z0-9]{4,10}){1,15})(?![\p{L}\p{N}_-])/diu;

function* findCodes(text: string, noun: RegExpExecArray): Iterable<SecretSpan> {
  const colon = /^[ \t]{0,4}:?/u.exec(text.slice(noun.index + noun[0].length))?.[0].length ?? 0;
  let at = noun.index + noun[0].length + colon;
  for (;;) {
    const match = MORE_CODES.exec(text.slice(at, at + 200));
    const [start, end] = match?.indices?.groups?.['code'] ?? [0, 0];
    if (end === 0 || !isRecoveryCode(text.slice(at + start, at + end))) return;
    yield { rule: 'recovery-code', start: at + start, end: at + end, shownPrefix: '' };
    at += end;
  }
}

const MARKER = '[redacted:';

/** Secrets that a sentence names: `the password for the router is …`, in four languages. */
export const proseRule: SecretRule = {
  *find(text) {
    for (const [kind, pattern] of NOUNS) {
      for (const match of text.matchAll(pattern)) {
        // A marker names what it took away.
        if (text.startsWith(MARKER, match.index - MARKER.length)) continue;
        if (kind === 'recovery-code') yield* findCodes(text, match);
        const span = findBehind(text, kind, match.index, match[0]);
        if (span !== undefined) yield span;
      }
    }
    for (const match of text.matchAll(BEFORE_NOUN)) {
      const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
      if (end > 0 && isStrong(text.slice(start, end))) yield { rule: 'password', start, end, shownPrefix: '' };
    }
  },
};
