import { HARMLESS_TOKEN } from './prose.ts';
import { type SecretRule, type SecretSpan, patternRule } from './rule.ts';
import {
  isPlaceholder,
  isUniqueId,
  looksLikePassphrase,
  looksLikePassword,
  looksRandom,
  trimBareValue,
} from './values.ts';

/** Names of passwords, in the languages that agents write most. */
const PASSWORD_NAME =
  '(?<![a-z])(?:db|smtp|mail|ftp|user|admin|root)?pass(?=[\\\\"\']{0,3}[ \\t]{0,4}[:=])|(?<![a-z])psw|(?<![a-z])mdp|pass(?:word|wd|phrase|code)|(?<=_)pass|pwd|(?<![a-z])pw|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|пароль|密码|密碼|口令|パスワード|비밀번호';
const SECRET_NAME =
  'secret|token|credentials?|(?:api|access|secret|auth|private|signing|encryption|master|account|service|shared|storage|license)[_ -]?key';

/** `password = "…"`, `"token": "…"`, `**Password:** …`, `<password>…`, `| password | … |`, `the password is …` */
const ASSIGNMENT = new RegExp(
  [
    `(?:(?<passwordName>${PASSWORD_NAME})|(?<secretName>${SECRET_NAME}))`,
    `[\\\\"'\`*_\\])]{0,4}`,
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

/** `boarding pass: …` opens no computer. */
const OTHER_PASS =
  /(?:boarding|bus|ski|day|season|mountain|travel|rail|metro|train|first|second|one|two|low|high|band)[ -]$/iu;

/** `if (password == other)` gives nothing away. */
function isComparison(match: RegExpExecArray, value: string): boolean {
  const before = match[0].slice(0, match[0].lastIndexOf(value));
  return /={2,3}[ \t]*$/u.test(before) && /^[A-Za-z_$][\w$]*$/u.test(value);
}

function judge(text: string, match: RegExpExecArray, value: string): 'password' | 'secret' | undefined {
  if (isComparison(match, value)) return undefined;
  const passwordName = match.groups?.['passwordName'];
  if (passwordName !== undefined) {
    const isOther =
      /^pass$/iu.test(passwordName) && OTHER_PASS.test(text.slice(Math.max(0, match.index - 12), match.index));
    if (isOther) return undefined;
    const isQuoted = match.groups?.['bare'] === undefined;
    return looksLikePassword(value) || (isQuoted && looksLikePassphrase(value)) ? 'password' : undefined;
  }
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
    // A rejected match may itself hold an assignment, as in `token=x&password=…`.
    regex.lastIndex = rule === undefined ? start : end;
  }
}

export const assignmentRule: SecretRule = {
  *find(text) {
    yield* findAssigned(text, ASSIGNMENT);
    yield* findAssigned(text, FLAG);
  },
};

const isGiven = (value: string): boolean => !isPlaceholder(value) && !value.startsWith('-');

/** A password after an option of one letter, which only the program's name gives a meaning. */
function option(program: string, flag: string, { accept = isGiven } = {}): SecretRule {
  const pattern = `\\b(?:${program})\\b(?=[ \\t])[^\\n|;&]{0,300}?[ \\t](?:${flag})["']?(?<secret>[^\\s"'\`|;&<>]{3,256})`;
  return patternRule('command-password', new RegExp(pattern), { accept });
}

/** `sshpass -p WORD`, `mysql -pWORD` and others: what people type, and what tools then tell. */
export const COMMAND_RULES: readonly SecretRule[] = [
  option('sshpass', '-p[ \\t]?'),
  option('mysql|mysqldump|mysqladmin|mariadb|mariadb-dump', '-p', { accept: looksLikePassword }),
  option('redis-cli|valkey-cli', '-a[ \\t]'),
  option('docker login|podman login|helm registry login|buildah login', '-p[ \\t]'),
  option('mongosh|mongo|mongodump|mongorestore', '-p[ \\t]', { accept: looksLikePassword }),
  option('ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami', '-w[ \\t]'),
  option('sqlcmd|bcp', '-P[ \\t]?', { accept: looksLikePassword }),
  option('7z|7za|7zz', '-p', { accept: looksLikePassword }),
  option('zip|unzip', '-P[ \\t]', { accept: looksLikePassword }),
  option('smbclient|rpcclient', '-U[ \\t][\\w.\\\\/-]{1,64}%'),
  option('https?', '(?:-a|--auth)[ \\t=][\\w.@-]{1,64}:', { accept: looksLikePassword }),
  option('openssl', '-pass(?:in|out)?[ \\t]pass:'),
  option('htpasswd', '-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \\t]\\S{1,200}[ \\t]\\S{1,64}[ \\t]', {
    accept: looksLikePassword,
  }),
  option('rabbitmqctl', '(?:add_user|change_password)[ \\t]\\S{1,64}[ \\t]', { accept: looksLikePassword }),
  patternRule(
    'command-password',
    /["']?[\w.-]{1,64}:(?<secret>[^\s"']{3,128})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]+)?chpasswd\b/,
    {
      accept: isGiven,
    },
  ),
];
