/** Judging a value that stands where a secret could: is it one, or a word, a placeholder, a reference, a number? */

const TEMPLATE = /^(?:\$[\w({]|[<[]|\{|%[\w(]|#\{|@\{)|^([^\s])\1+$|\.{3}|…|\*{3}|•{3}|x{4}/i;
const PLACEHOLDER_WORD =
  /^(?:your?|my|the|some|an?|insert|enter|put|replace|example|sample|dummy|fake|mock|test|demo|placeholder|change-?me|redacted|hidden|masked|secret|pass(?:word|wd|phrase)?|token|user(?:name)?|root|admin|todo|tbd|none|null|nil|undefined|true|false|required|optional|string|x-oauth-basic)(?:$|[\s_.-])/i;
const EXAMPLE = /example|placeholder|changeme|redacted/i;
const CODE =
  /^[\w$]+(?:\.[\w$]+)*[([]|^(?:process|import|os|env|config|conf|settings|self|this|ctx|args|argv|opts|options|params|secrets|vars?|local|data|module|props|req|res|request|response|user|input|context|inputs)\.[\w.$]+$|=>|::/i;
const REFERENCE =
  /^(?:vault|op|ref|arn|secretref|env|keychain|keyring|file|aws|gcp|ssm|sops|md5|kms|projects?)[:/]|^sha\d*[:-]/i;
const LOCATION =
  /^(?:~|\.{1,2})\/|^\/[\w.-]{1,20}$|^(?:\/[\w.-]+){2,}$|^[a-z][a-z0-9+.-]*:\/\/|^[a-z]:\\|^[\w.-]+(?:\/[\w.-]+)*\.(?:md|txt|json|ya?ml|pem|key|tsx?|jsx?|py|go|rs|env|toml|pdf|png|html?|kdbx|gpg|asc)$/i;
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const MEASURE =
  /^[~<>]?\d[\d.,:+–-]*(?:chars?|characters?|digits?|bits?|bytes?|days?|hours?|minutes?|months?|years?|times?|th|[kmg]?b|ms|[hsxk])?$/i;
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:[T_ ][\d:.]+Z?)?$/;
const TECHNOLOGY =
  /^(?:argon2\w*|bcrypt\w*|scrypt\w*|pbkdf2\w*|sha-?\d+|md[45]|base(?:32|58|64|85)|utf-?8|aes-?\d*|rsa-?\d*|hmac-?\w*|oauth-?\d?|oauth2\.0|saml2?|fido2|[23]fa|totp|ipv[46]|http2|web3|ed25519|secp256\w*|x509|pkcs\d+|jwt\d*|rot13|crypt3)(?:$|[^a-z0-9])/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;

/** Below this a word such as `abc1` gives more false alarms than found passwords. */
const MIN_PASSWORD_LENGTH = 6;
const MIN_RANDOM_LENGTH = 12;
/** Words and numbers joined into a name change between letters and digits once or twice; random text keeps changing. */
const MIN_ALTERNATIONS = 3;
const MIN_DISTINCT_CHARACTERS = 8;

function countAlternations(value: string): number {
  return value.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
}

/** Whether a value stands for a secret to be filled in; `test-` before something random is no excuse. */
export function isPlaceholder(value: string): boolean {
  if (TEMPLATE.test(value) || EXAMPLE.test(value)) return true;
  return PLACEHOLDER_WORD.test(value) && countAlternations(value) < MIN_ALTERNATIONS;
}

function isReferenceOrMeasure(value: string): boolean {
  return [CODE, REFERENCE, LOCATION, EMAIL, MEASURE, VERSION, DATE, TECHNOLOGY].some((pattern) => pattern.test(value));
}

/** A universally unique id is a name, not a secret, unless the text around it says otherwise. */
export function isUniqueId(value: string): boolean {
  return UUID.test(value) || ULID.test(value);
}

/** For a value that is plainly called a password: people choose weak ones, so letters with a digit or sign suffice. */
export function looksLikePassword(value: string): boolean {
  if (value.length < MIN_PASSWORD_LENGTH || /\s/.test(value)) return false;
  if (isPlaceholder(value) || isReferenceOrMeasure(value)) return false;
  return /\p{L}/u.test(value) && /[\d@#$%^&*!+=~]/.test(value);
}

/** For a value called a token, key or secret, words that also mean other things: it has to look machine-made. */
export function looksRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_LENGTH || /\s/.test(value)) return false;
  if (isPlaceholder(value) || isReferenceOrMeasure(value)) return false;
  return countAlternations(value) >= MIN_ALTERNATIONS && new Set(value).size >= MIN_DISTINCT_CHARACTERS;
}

/** Two of these: several digits, a sign, letters of both cases inside, letters and digits by turns. */
const MIN_SIGNS_OF_STRENGTH = 2;
/** Standards, models and rooms are called so: `ISO27001`, `RTX-4090`. */
const DESIGNATION = /^[A-Z]{1,6}-?\d{1,6}$/u;

/** For a value that only stands near the word "password": it has to look like nothing else. */
export function isStrong(value: string): boolean {
  if (!looksLikePassword(value) || DESIGNATION.test(value) || /[/\\()[\]{}]/u.test(value)) return false;
  const signs = [
    (value.match(/\d/gu) ?? []).length >= 2,
    /[^\p{L}\p{N}.,:'’-]/u.test(value),
    /\p{Ll}\p{Lu}|\p{N}\p{Lu}/u.test(value),
    countAlternations(value) >= 2,
  ];
  return /\d/u.test(value) && signs.filter(Boolean).length >= MIN_SIGNS_OF_STRENGTH;
}

/** Messages to a person about a password, in quotes. */
const ABOUT_PASSWORDS =
  /pass(?:word|wort|phrase|code)|kennwort|contraseñ|mot de passe|\bpin\b|[.?!:…]$|%[sd]|[{}<>$()]|(?:^|[^\p{L}])(?:the|your?|my|is|are|must|enter|please|see|in|forgot|new|old|invalid|wrong|required|not|or|and|with|der|die|das|ihr|bitte|siehe|im|nicht|el|la|tu|en|ver|no|le|votre|dans|voir|pas)(?:$|[^\p{L}])/iu;

/** Words in quotes that stand where a password does: with a digit or sign, or four and more of them. */
export function looksLikePassphrase(value: string): boolean {
  const words = value.trim().split(/\s+/u);
  if (words.length < 2 || words.length > 12 || value.length < 8 || ABOUT_PASSWORDS.test(value)) return false;
  if (isPlaceholder(value) || /^\d+\s\p{L}+$/u.test(value)) return false;
  if (/[\d@#$%^&*!+=~]/u.test(value)) return /\p{L}/u.test(value);
  return words.length >= 4 && words.every((word) => /^\p{Ll}{3,}$/u.test(word));
}

/** Where an unquoted value ends: before the next pair (`&user=`, `,user:`) and before closing punctuation. */
export function trimBareValue(value: string): string {
  return value.replace(/[,;&][\w.-]{1,40}[=:].*$/s, '').replace(/[\\.,;:!?)\]}*_]+$/, '');
}
