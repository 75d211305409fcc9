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
