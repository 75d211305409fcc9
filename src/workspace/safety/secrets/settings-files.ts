import { type SecretRule, type SecretSpan, patternRule } from './rule.ts';
import { isPlaceholder, looksLikePassword, looksRandom } from './values.ts';

const isGiven = (value: string): boolean => !isPlaceholder(value);
/** `dXNlcjpwYXNz` and the like: base64 of something, not a word that happens to have only its letters. */
const isEncoded = (value: string): boolean =>
  isGiven(value) && (value.endsWith('=') || /\d|[A-Z].*[a-z].*[A-Z]/u.test(value));

/** Secrets by the form of the file or header they stand in. */
export const FILE_RULES: readonly SecretRule[] = [
  // .pgpass: host:port:database:user:password, a line of its own
  patternRule(
    'pgpass',
    /(?<![^\n])(?:localhost|\*|[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}):(?:\*|\d{4,5}):(?:\*|[A-Za-z_][\w-]{0,63}):(?:\*|[A-Za-z_][\w.@-]{0,63}):(?<secret>[^\s:]{4,256})(?=[ \t]{0,8}(?:[\r\n]|$))/,
    { accept: looksLikePassword },
  ),
  // Docker's config.json, and what copies it
  patternRule(
    'docker-auth',
    /\\?"(?:auth|identitytoken|registrytoken)\\?"[ \t]{0,8}:[ \t]{0,8}\\?"(?<secret>[A-Za-z0-9+/_.=-]{12,4096})\\?"/,
    {
      accept: isEncoded,
    },
  ),
  patternRule('npm-token', /(?<![A-Za-z0-9])_password[ \t]?=[ \t]?["']?(?<secret>[A-Za-z0-9+/]{8,512}={0,2})/, {
    accept: isEncoded,
  }),
  // kubeconfig and Secret manifests
  patternRule(
    'kube-secret',
    /(?:client-key-data|id-token|refresh-token)["']?:[ \t]{0,8}["']?(?<secret>[A-Za-z0-9+/_.=-]{20,8192})/,
    {
      accept: isEncoded,
    },
  ),
  patternRule(
    'kube-secret',
    /kind: Secret\b[^]{0,2000}?\n[ \t]{1,8}[\w.-]{0,60}(?:pass|pwd|token|secret|key)[\w.-]{0,60}:[ \t]{1,8}["']?(?<secret>[A-Za-z0-9+/]{8,8192}={0,2})["']?(?=[ \t]{0,8}(?:[\r\n]|$))/i,
    { accept: isEncoded },
  ),
  // /etc/shadow, .htpasswd, dumps of user tables: a hash is what an attacker guesses against
  patternRule('password-hash', /(?<![\w$])(?<secret>\$(?:1|5|6|7|y|gy|apr1|sha1|2[abxy]?)\$[A-Za-z0-9./$=,-]{20,256})/),
  patternRule('password-hash', /(?<![\w$])(?<secret>\$argon2(?:id|i|d)\$v=\d{1,3}\$[A-Za-z0-9+/$=,]{20,512})/),
  patternRule(
    'password-hash',
    /(?<![\w$])(?<secret>(?:pbkdf2_sha\d{1,3}|scrypt|bcrypt_sha256)\$[A-Za-z0-9+/$=.:]{30,512})/,
  ),
  // Wi-Fi and VPN
  patternRule('wifi-key', /(?<![A-Za-z0-9])psk[ \t]{0,4}=[ \t]{0,4}["']?(?<secret>[^\s"']{8,64})/i, {
    accept: isGiven,
  }),
  patternRule('vpn-key', /(?:PresharedKey|PrivateKey)[ \t]{0,8}=[ \t]{0,8}(?<secret>[A-Za-z0-9+/]{42,43}=)/i),
  // Sessions and signed links: whoever has them is somebody else
  patternRule(
    'cookie',
    /(?:^|[\n\\"'])(?:set-)?cookie["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<secret>[\w.-]{1,64}=[^\s"';,]{16,4096})/i,
    {
      accept: (pair) => looksRandom(pair.slice(pair.indexOf('=') + 1)),
    },
  ),
  patternRule(
    'signed-url',
    /[?&](?:X-Amz-Signature|X-Goog-Signature|Signature|sig)=(?<secret>[A-Za-z0-9%+/=_-]{32,2048})/i,
    {
      accept: isGiven,
    },
  ),
  // A Dockerfile's or a shell's variable, the value behind a blank
  patternRule(
    'password',
    /(?<![^\n])[ \t]{0,16}(?:ENV|ARG|setx?|SETX?)[ \t]{1,4}[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASS|PWD|PASSPHRASE)[ \t=]{1,4}["']?(?<secret>[^\s"']{6,256})/,
    { accept: looksLikePassword },
  ),
  patternRule(
    'secret',
    /(?<![^\n])[ \t]{0,16}(?:ENV|ARG|setx?|SETX?)[ \t]{1,4}[A-Z0-9_]{0,60}(?:SECRET|TOKEN|KEY|CREDENTIALS?|KEY_BASE)[ \t=]{1,4}["']?(?<secret>[^\s"']{12,1024})/,
    { accept: looksRandom },
  ),
  // YAML: the value on the next line, deeper than its name
  patternRule(
    'password',
    /(?<![^\n])[ \t]{0,40}["']?[\w.-]{0,60}(?:password|passwd|pwd|passphrase|passwort|kennwort|contraseña)["']?:[ \t]{0,4}(?:[|>][+-]?\d?)?[ \t]{0,4}\r?\n[ \t]{1,40}(?:- )?["']?(?<secret>[^\s"']{6,256})["']?(?=[ \t]{0,8}(?:\r?\n|$))/i,
    { accept: looksLikePassword },
  ),
  patternRule(
    'secret',
    /(?<![^\n])[ \t]{0,40}["']?[\w.-]{0,60}(?:secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?:[ \t]{0,4}(?:[|>][+-]?\d?)?[ \t]{0,4}\r?\n[ \t]{1,40}(?:- )?["']?(?<secret>[^\s"']{12,1024})["']?(?=[ \t]{0,8}(?:\r?\n|$))/i,
    { accept: looksRandom },
  ),
  // A backup of the key that signs the chain: a passphrase opens it
  patternRule(
    'mneme-key',
    /(?<secret>\\?"format\\?":[ \t]?\\?"mneme-key-backup-1\\?"[^]{0,1000}?\\?"data\\?":[ \t]?\\?"[A-Za-z0-9+/=]{40,2000})/,
  ),
  // JSON Web Keys: the private half
  patternRule('private-key', /\\?"d\\?"[ \t]{0,8}:[ \t]{0,8}\\?"(?<secret>[A-Za-z0-9_-]{42,1024})\\?"/, {
    accept: looksRandom,
  }),
  patternRule(
    'otp-secret',
    /(?:otp|totp|2fa|mfa)[ _-]?(?:secret|seed|key)["']?[ \t]{0,4}(?:[:=]|is)[ \t]{0,4}["']?(?<secret>[A-Z2-7]{16,64})(?![A-Za-z0-9])/i,
    {
      accept: isGiven,
    },
  ),
];

/**
 * `machine HOST login NAME password WORD`, over lines or on one. A tool's arguments are kept as JSON, where a line's end is
 * the two letters `\n`.
 */
const START = /(?<![\w.-])(?:machine(?:\s|\\[nrt])|default(?=(?:\s|\\[nrt]){1,16}(?:login|user|password)\b))/g;
const GAP = /(?:\s|\\[nrt]){1,32}/y;
const WORD = /"(?<quoted>[^"\n]{1,255})"|(?<bare>(?:[^\s\\"]|\\(?![nrt"])){1,255})/y;
const FIELDS: ReadonlySet<string> = new Set(['login', 'user', 'account', 'port', 'protocol', 'password']);
/** More fields than any of the formats has; it also bounds what one start can cost. */
const MAX_FIELDS = 6;
const HOST = /^(?:[\w-]+\.)+[\w-]+(?::\d+)?$|^localhost(?::\d+)?$|^\[?[0-9a-f:.]+\]?$/i;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function readWord(text: string, at: number): Word | undefined {
  GAP.lastIndex = at;
  const begin = GAP.test(text) ? GAP.lastIndex : at;
  WORD.lastIndex = begin;
  const match = WORD.exec(text);
  if (match === null) return undefined;
  const quoted = match.groups?.['quoted'];
  const start = begin + (quoted === undefined ? 0 : 1);
  const word = quoted ?? match[0];
  return { text: word, start, end: start + word.length, next: begin + match[0].length };
}

/** Reads the fields of one `machine HOST`, in any order. */
function readFields(text: string, from: number): ReadonlyMap<string, Word> {
  const fields = new Map<string, Word>();
  let at = from;
  while (fields.size < MAX_FIELDS) {
    const name = readWord(text, at);
    if (name === undefined || !FIELDS.has(name.text) || fields.has(name.text)) break;
    const value = readWord(text, name.next);
    if (value === undefined) break;
    fields.set(name.text, value);
    at = value.next;
  }
  return fields;
}

/** Over several lines it is the file; on one, "machine learning login page, password reset" is a sentence. */
function isFile(entry: string, host: string, password: string): boolean {
  return /[\r\n]|\\n/u.test(entry.trim()) || HOST.test(host) || looksLikePassword(password);
}

/** JSON's or a shell's closing signs are not part of the word. */
const CLOSING = /(?:\\?["'`])[\]},;)]*$/u;

export const netrcRule: SecretRule = {
  *find(text) {
    for (const { index, 0: found } of text.matchAll(START)) {
      const isDefault = found.startsWith('default');
      const host = isDefault ? undefined : readWord(text, index + 'machine'.length);
      if (!isDefault && (host === undefined || /[,;!?]$/u.test(host.text))) continue;
      const fields = readFields(text, host?.next ?? index + found.length);
      const password = fields.get('password');
      if (password === undefined || fields.size < 2) continue;
      const secret = password.text.replace(CLOSING, '');
      if (isPlaceholder(secret) || !isFile(text.slice(index, password.start), host?.text ?? '', secret)) continue;
      yield span(password.start, secret.length);
    }
  },
};

function span(start: number, length: number): SecretSpan {
  return { rule: 'netrc', start, end: start + length, shownPrefix: '' };
}
