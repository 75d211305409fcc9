import type { SecretRule, SecretSpan } from './rule.ts';
import { isUniqueId, looksLikePassword, looksRandom } from './values.ts';

/** What a password is called, in the languages that agents write most. */
const PASSWORD_NAME =
  'pass(?:word|wd|phrase|code)|(?<=_)pass|pwd|(?<![a-z])pw|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호';
const SECRET_NAME =
  'secret|token|credentials?|(?:api|access|secret|auth|private|signing|encryption|master|account|service|shared|storage|license)[_ -]?key';

/** Tokens that are handed out to be passed around: positions in lists, parts of grammars and design systems. */
const HARMLESS_TOKEN =
  /(?:page|next|continuation|sync|cursor|cancell?ation|pagination|sequence|change|design|stop|eos|bos|pad|unk|mask|special)[\s_-]?$/i;

/** `the password for the bank is …`: what it opens, in a few words. */
const OPENS =
  '(?:[ \\t](?:for|of|to|on|at|in|für|von|vom|zum|zur|im|de|del|du|pour|para|voor|van)(?:[ \\t][^\\s:=|"<>]{1,30}){1,4})?';

/** `password = "…"`, `"token": "…"`, `**Password:** …`, `<password>…`, `| password | … |`, `the password is …` */
const ASSIGNMENT = new RegExp(
  [
    `(?:(?<passwordName>${PASSWORD_NAME})|(?<secretName>${SECRET_NAME}))`,
    `[\\\\"'\`*_\\])]{0,4}${OPENS}`,
    '[ \\t]{0,8}(?:=>|:=|={1,3}|:|：|(?<=[ \\t])\\|(?=[ \\t])|>(?=[^<>\\s]{1,1024}</)|\\b(?:is|was|ist|lautet|es|est)\\b:?|[是为為は])[ \\t]{0,8}[*_]{0,2}[ \\t]{0,2}\\\\?',
    '(?:"(?<double>[^"\\n]{6,1024})"|\'(?<single>[^\'\\n]{6,1024})\'|["\'`]?(?<bare>[^\\s"\'`<>|]{6,1024}))',
  ].join(''),
  'dgi',
);

/** `--password …`, `--api-key=…`: a blank is enough there, because the dashes say that a value follows. */
const FLAG = new RegExp(
  `--[a-z-]{0,20}?(?:(?<passwordName>${PASSWORD_NAME})|(?<secretName>${SECRET_NAME}))[ \\t=]["']?(?<bare>[^\\s"'\`<>|]{6,1024})`,
  'dgi',
);

/** Where an unquoted value ends: before the next pair (`&user=`, `,user:`) and before closing punctuation. */
function trimBareValue(value: string): string {
  return value.replace(/[,;&][\w.-]{1,40}[=:].*$/s, '').replace(/[\\.,;:!?)\]}*_]+$/, '');
}

function judge(text: string, match: RegExpExecArray, value: string): 'password' | 'secret' | undefined {
  if (match.groups?.['passwordName'] !== undefined) return looksLikePassword(value) ? 'password' : undefined;
  const name = match.groups?.['secretName']?.toLowerCase();
  if (name === 'token') {
    if (isUniqueId(value)) return undefined;
    if (HARMLESS_TOKEN.test(text.slice(Math.max(0, match.index - 16), match.index))) return undefined;
  }
  return looksRandom(value) ? 'secret' : undefined;
}

function* findAssigned(text: string, pattern: RegExp): Iterable<SecretSpan> {
  const regex = new RegExp(pattern);
  for (let match = regex.exec(text); match !== null; match = regex.exec(text)) {
    const groups = match.indices?.groups;
    const quoted = groups?.['double'] ?? groups?.['single'];
    const [start, rawEnd] = quoted ?? groups?.['bare'] ?? [match.index, match.index];
    const raw = text.slice(start, rawEnd);
    const value = quoted === undefined ? trimBareValue(raw) : raw.replace(/\\+$/, '');
    const rule = judge(text, match, value);
    const end = start + value.length;
    if (rule !== undefined) yield { rule, start, end, shownPrefix: '' };
    // What was turned down may itself hold an assignment, as in `token=x&password=…`.
    regex.lastIndex = rule === undefined ? start : end;
  }
}

export const assignmentRule: SecretRule = {
  *find(text) {
    yield* findAssigned(text, ASSIGNMENT);
    yield* findAssigned(text, FLAG);
  },
};
