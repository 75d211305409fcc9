import { MnemeError } from '../../../model/errors.ts';

/** A stretch of text that holds a secret. */
export interface SecretSpan {
  /** Becomes the marker `[redacted:rule]`, so only lower-case letters, digits and hyphens. */
  readonly rule: string;
  readonly start: number;
  readonly end: number;
  /** The vendor's public prefix (`ghp_`), which may be shown to say what was found; '' when nothing may. */
  readonly shownPrefix: string;
}

export interface SecretRule {
  find(text: string): Iterable<SecretSpan>;
}

export interface PatternOptions {
  /** A second look at what the pattern found, for what a pattern cannot express. */
  readonly accept?: (secret: string) => boolean;
}

const PUBLIC_PREFIX = /^(?:AKIA|ASIA|AIza|ya29\.|eyJ|(?=[A-Za-z])[A-Za-z0-9]{2,8}[-_.])/;

export function publicPrefix(token: string): string {
  return PUBLIC_PREFIX.exec(token)?.[0] ?? '';
}

/**
 * A rule of one regular expression. With a group named `secret` only that group is the secret, and none of it may be
 * shown; otherwise the whole match is a vendor's token, whose prefix is public.
 */
export function patternRule(rule: string, pattern: RegExp, { accept }: PatternOptions = {}): SecretRule {
  const regex = new RegExp(pattern.source, `${pattern.flags}gd`);
  return {
    *find(text) {
      for (const match of text.matchAll(regex)) {
        const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
        const secret = text.slice(start, end);
        if (accept !== undefined && !accept(secret)) continue;
        yield { rule, start, end, shownPrefix: match.groups === undefined ? publicPrefix(secret) : '' };
      }
    },
  };
}

/**
 * Cheap tests that spare ordinary notes the rules. They may say yes too often, never no wrongly: redact.test.ts
 * compares them with what the rules find.
 */

/** Nearly every token format has an unbroken run this long, and a vendor's next one will have it too. */
const LONG_RUN = /\b[\w+-]{20}/;

/** Signs that secretlint's other rules start from: URLs with credentials, key headers, and formats with short parts. */
const PRESET_SIGN = /:\/\/[^\s/]*:|hooks\.slack|-----BEGIN|secret_?access|xox[a-z]-|xapp-/i;

/** The names and signs that our own rules, and those of the preset, look for. */
const SECRET_SIGN =
  /pass|pw|psw|mdp|clave|clé|schlüssel|schluessel|jeton|geheim|zugangscode|\bpin\b|-pin\b|\bpuk\b|cvv|cvc|prüfnummer|kartenprüf|cryptogramme|security code|código|code d|code de|code secret|recovery|backup code|rescue code|emergency code|scratch code|notfallcode|wiederherstell|récup|secours|card|karte|tarjeta|carte|visa|maestro|amex|american express|putty|secret|token|credential|key|auth|bearer|curl|kennwort|contrase|senha|wachtwoord|hasło|парол|密|口令|パスワ|비밀|-----BEGIN|xox|xapp-|:\/\/|mysql|mariadb|redis|valkey|mongo|docker login|podman login|ldap|sqlcmd|bcp|7z|zip|smbclient|rpcclient|https? |openssl|rabbitmq|psk|cookie|[?&]sig|otp|2fa|mfa|\$\w{1,8}\$|:(?:\*|\d{4,5}):|"d\\?"/i;

/** Whether any rule could find something. */
export function mayHoldSecret(text: string): boolean {
  return SECRET_SIGN.test(text) || LONG_RUN.test(text);
}

/** Whether a rule of the preset could, which is worth loading it for. */
export function mayHoldVendorToken(text: string): boolean {
  return PRESET_SIGN.test(text) || LONG_RUN.test(text);
}

/** Together these bound a pattern's work: the worst that passes takes a fraction of a second for each secret. */
const MAX_ENTRY_LENGTH = 200;
const MAX_PATTERN_SUBJECT_LENGTH = 128;
const MAX_VARIABLE_PARTS = 3;

/** As in the configuration's schema; anything else is literal, a path such as `/etc/hosts` too. */
const PATTERN_ENTRY = /^\/(?<source>.+)\/(?<flags>[imsu]*)$/s;

export type AllowTest = (text: string, span: SecretSpan) => boolean;

function entryError(entry: string, problem: string): MnemeError {
  return new MnemeError('usage', `The redaction.allow entry "${entry.slice(0, 60)}" ${problem}.`, {
    hint: 'Use the exact text, or a simple pattern such as /^test_[a-z0-9]+$/.',
  });
}

function compilePattern(entry: string, source: string, flags: string): RegExp {
  const skeleton = source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+{]/.test(skeleton)) throw entryError(entry, 'repeats a group, which can take for ever on some texts');
  if (/\\[1-9k]/.test(source)) throw entryError(entry, 'refers back to a group');
  const variableParts = skeleton.match(/[*+{]|[^(*+}]\?/g)?.length ?? 0;
  if (variableParts > MAX_VARIABLE_PARTS) throw entryError(entry, 'has too many repeated or optional parts');
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new MnemeError('usage', `The redaction.allow entry "${entry.slice(0, 60)}" is not a valid pattern.`, {
      hint: 'Check its brackets and escapes.',
      cause: error,
    });
  }
}

function isInsideLiteral(text: string, { start, end }: SecretSpan, literal: string): boolean {
  return text.slice(Math.max(0, end - literal.length), start + literal.length).includes(literal);
}

/**
 * A literal entry allows a secret that equals it or stands inside it (so a whole URL can be allowed without allowing
 * its password everywhere); a `/pattern/` allows a secret in which it matches.
 */
export function parseAllowList(entries: readonly string[]): AllowTest {
  const literals: string[] = [];
  const patterns: RegExp[] = [];
  for (const entry of entries) {
    if (entry.trim() === '') throw entryError(entry, 'is empty');
    if (entry.length > MAX_ENTRY_LENGTH) throw entryError(entry, `is longer than ${MAX_ENTRY_LENGTH} characters`);
    const groups = PATTERN_ENTRY.exec(entry)?.groups;
    if (groups === undefined) literals.push(entry);
    else patterns.push(compilePattern(entry, groups['source'] ?? '', groups['flags'] ?? ''));
  }
  return (text, span) => {
    if (literals.some((literal) => isInsideLiteral(text, span, literal))) return true;
    if (span.end - span.start > MAX_PATTERN_SUBJECT_LENGTH) return false;
    const secret = text.slice(span.start, span.end);
    return patterns.some((pattern) => pattern.test(secret));
  };
}
