/**
 * Made-up secrets for the tests. They are put together at run time, from parts and a fixed random sequence, so that no
 * scanner finds one in this repository.
 */

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
export const HEX = `${DIGITS}abcdef`;
const ALNUM = `${LOWER}${LOWER.toUpperCase()}${DIGITS}`;
const UPPER = `${LOWER.toUpperCase()}${DIGITS}`;
const URL_SAFE = `${ALNUM}_-`;
export const BASE64 = `${ALNUM}+/`;

export type Draw = (length: number, alphabet?: string) => string;

/** A fixed sequence (mulberry32), so that a failure shows the same text on every run. */
export function createDraw(seed: number): Draw {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (length, alphabet = ALNUM) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('');
}

/** A value that surely changes between letters and digits, ending in a letter or digit. */
export function mixed(draw: Draw, length: number): string {
  return `a1${draw(length - 6)}Z9x8`;
}

export function pem(kind: string, draw: Draw, lineBreak = '\n'): string {
  const lines = [`MIIE${draw(60, BASE64)}`, draw(64, BASE64), draw(64, BASE64), `${draw(30, BASE64)}==`];
  return ['-----', 'BEGIN ', `${kind}PRIVATE`, ' KEY-----', lineBreak, lines.join(lineBreak), lineBreak]
    .concat('-----', 'END ', `${kind}PRIVATE`, ' KEY-----')
    .join('');
}

export function jwt(draw: Draw): string {
  return ['ey', `J${draw(30, URL_SAFE)}.ey`, `J${draw(50, URL_SAFE)}.`, draw(43, URL_SAFE)].join('');
}

/** The preset accepts a 1Password token only when it decodes to JSON and ends in `fQ`. */
function onePasswordToken(draw: Draw): string {
  const json = JSON.stringify({ email: 'a@b.test', secretKey: draw(90), pad: '' });
  const padded = json.replace('"pad":""', `"pad":"${'p'.repeat((3 - ((json.length - 1) % 3)) % 3)}"`);
  return ['ops', Buffer.from(padded).toString('base64')].join('_');
}

/** One token in the format of each vendor, with the rule that names it. */
export function vendorTokens(draw: Draw): [rule: string, token: string][] {
  const join = (...parts: string[]): string => parts.join('');
  return [
    ['anthropic-key', join('sk-', 'ant-', 'api03-', draw(93, URL_SAFE), 'AA')],
    ['anthropic-key', join('sk-', 'ant-', 'oat01-', draw(60), 'AA')],
    ['openai-key', join('sk-', draw(20), 'T3Blbk', 'FJ', draw(20))],
    ['openai-key', join('sk-', 'proj-', draw(74), 'T3Blbk', 'FJ', draw(74))],
    ['openai-key', join('sk-', 'svcacct-', draw(58), 'T3Blbk', 'FJ', draw(58))],
    ['openai-key', join('sk-', draw(32, HEX))],
    ['openrouter-key', join('sk-', 'or-', 'v1-', draw(64, HEX))],
    ['github-token', join('gh', 'p_', draw(36))],
    ['github-token', join('gh', 'o_', draw(36))],
    ['github-token', join('gh', 's_', draw(36))],
    ['github-token', join('gith', 'ub_pat_', draw(22), '_', draw(59))],
    ['gitlab-token', join('gl', 'pat-', draw(20))],
    ['gitlab-token', join('gl', 'rt-', draw(20))],
    ['slack-token', join('xo', 'xb-', draw(12, DIGITS), '-', draw(12, DIGITS), '-', draw(24))],
    ['slack-token', join('xo', 'xp-', draw(12, DIGITS), '-', draw(12, DIGITS), '-', draw(32, HEX))],
    ['slack-token', join('xa', 'pp-1-', 'A0', draw(9), '-', draw(13, DIGITS), '-', draw(64, HEX))],
    ['stripe-key', join('sk', '_live_', draw(24))],
    ['stripe-key', join('rk', '_test_', draw(98))],
    ['stripe-key', join('wh', 'sec_', draw(32))],
    ['npm-token', join('np', 'm_', draw(36))],
    ['huggingface-token', join('h', 'f_', draw(34, LOWER.toUpperCase()))],
    ['google-oauth', join('GOC', 'SPX-', draw(28))],
    ['google-oauth', join('ya', '29.', draw(120, URL_SAFE), 'x')],
    ['google-key', join('AI', 'za', draw(34), 'Q')],
    ['aws-access-key', join('AK', 'IA', draw(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'))],
    ['twilio-key', join('S', 'K', draw(32, HEX))],
    ['pypi-token', join('py', 'pi-AgE', 'IcHlwaS5vcmc', draw(80))],
    ['sendgrid-key', join('S', 'G.', draw(22), '.', draw(43))],
    ['groq-key', join('gs', 'k_', draw(52))],
    ['xai-key', join('xa', 'i-', draw(80))],
    ['perplexity-key', join('pp', 'lx-', draw(48))],
    ['replicate-token', join('r', '8_', draw(37))],
    ['tavily-key', join('tv', 'ly-dev-', draw(32))],
    ['digitalocean-token', join('do', 'p_v1_', draw(64, HEX))],
    ['supabase-key', join('sb', 'p_', draw(40, HEX))],
    ['vault-token', join('hv', 's.', draw(95))],
    ['airtable-token', join('pa', 't', draw(14), '.', draw(64, HEX))],
    ['notion-token', join('sec', 'ret_', draw(43))],
    ['postman-key', join('PM', 'AK-', draw(24, HEX), '-', draw(34, HEX))],
    ['new-relic-key', join('NR', 'AK-', draw(27, `${LOWER}${DIGITS}`.toUpperCase()))],
    ['sentry-token', join('snt', 'rys_', draw(60))],
    ['age-key', join('AGE-', 'SECRET-', 'KEY-1', draw(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'))],
    ['telegram-token', join(draw(9, '123456789'), ':A', 'A', draw(33))],
    ['discord-token', join('M', draw(23), '.', draw(6), '.', draw(30))],
    ['jwt', jwt(draw)],
    ...laterTokens(draw),
    ...presetOnlyTokens(draw),
  ];
}

/** Of vendors that were added later. */
function laterTokens(draw: Draw): [rule: string, token: string][] {
  const join = (...parts: string[]): string => parts.join('');
  const hex = (length: number): string => draw(length, HEX);
  return [
    ['terraform-token', join(draw(14), '.atlas', 'v1.', draw(67))],
    ['mailgun-key', join('ke', 'y-', hex(32))],
    ['mailchimp-key', join(hex(32), '-u', 's21')],
    ['heroku-key', join('HR', 'KU-', draw(60, URL_SAFE))],
    ['doppler-token', join('dp', '.pt.', draw(43))],
    ['planetscale-token', join('psc', 'ale_tkn_', draw(43))],
    ['fly-token', join('fo', '1_', draw(43))],
    ['square-token', join('sq', '0csp-', draw(43))],
    ['buildkite-token', join('bk', 'ua_', hex(40))],
    ['pulumi-token', join('pu', 'l-', hex(40))],
    ['rubygems-key', join('ruby', 'gems_', hex(48))],
    ['dynatrace-token', join('dt', '0c01.', draw(24, UPPER), '.', draw(64, UPPER))],
    ['netlify-token', join('nf', 'p_', draw(40))],
    ['atlassian-token', join('ATA', 'TT3', draw(180), '=', hex(8).toUpperCase())],
    ['azure-client-secret', join(draw(3), '8', 'Q~', draw(34))],
    ['langfuse-key', join('sk-', 'lf-', hex(8), '-', hex(4), '-', hex(4), '-', hex(4), '-', hex(12))],
    ['langsmith-key', join('lsv', '2_pt_', hex(32), '_', hex(10))],
    ['nvidia-key', join('nv', 'api-', draw(64))],
    ['pinecone-key', join('pc', 'sk_', draw(6), '_', draw(60))],
    ['mapbox-key', join('sk', '.ey', 'J', draw(60), '.', draw(22))],
    ['typeform-token', join('tf', 'p_', draw(44))],
    ['alibaba-key', join('LT', 'AI', draw(20))],
  ];
}

/** Formats that only secretlint's preset knows. */
function presetOnlyTokens(draw: Draw): [rule: string, token: string][] {
  return [
    ['linear', ['lin', 'api', draw(40)].join('_')],
    ['notion', ['ntn', draw(11, DIGITS) + draw(35)].join('_')],
    ['shopify', ['shp', 'at_', draw(32, HEX)].join('')],
    ['grafana', ['gl', 'sa_', draw(32), '_', draw(8, HEX)].join('')],
    ['1password', onePasswordToken(draw)],
    ['vercel', ['vc', 'p_', draw(30)].join('')],
    ['databricks', ['da', 'pi', draw(32, HEX)].join('')],
    ['docker', ['dckr', 'pat', draw(27)].join('_')],
    ['figma', ['fi', 'gd_', draw(40)].join('')],
    ['cloudflare', ['cf', 'ut_', draw(40), draw(8, HEX)].join('')],
    ['tailscale', ['ts', 'key-auth-', draw(12), '-', draw(32)].join('')],
  ];
}

/** A secret in its surroundings: only the middle may be replaced. */
export type Sample = readonly [rule: string, before: string, secret: string, after: string];

export function contextSamples(draw: Draw): Sample[] {
  const url = (scheme: string, password: string): Sample => [
    'url-password',
    `connect to ${scheme}://app:`,
    password,
    '@db.corp.test:5432/main now',
  ];
  return [
    ['private-key', 'key:\n', pem('', draw), '\nend'],
    ['private-key', 'key:\n', pem('RSA ', draw), '\nend'],
    ['private-key', '', pem('EC ', draw), ''],
    ['private-key', '> ', pem('OPENSSH ', draw), '\n'],
    ['private-key', '{"k":"', pem('', draw, '\\n'), '\\n"}'],
    ['private-key', 'cut off: ', pem('', draw).split('-----END')[0]?.trimEnd() ?? '', '\n\n(the rest is missing)'],
    ...['postgres', 'postgresql', 'mysql', 'mongodb+srv', 'redis', 'amqps', 'https', 'ftp', 'smtp', 'mssql'].map(
      (scheme) => url(scheme, `${draw(8)}7x`),
    ),
    url('postgres', 'hunter2'),
    url('redis', 'p@ss:w0rd'),
    ['url-token', 'git clone https://', `${draw(40, HEX)}:x-oauth-basic`, '@github.com/a/b.git'],
    ['aws-secret-key', 'aws_secret_access_key = ', draw(40, BASE64), '\nregion = eu-west-1'],
    ['aws-secret-key', '"secretAccessKey": "', draw(40, BASE64), '",'],
    ['azure-key', 'AccountName=a;AccountKey=', `${draw(86, BASE64)}==`, ';EndpointSuffix=core.windows.net'],
    ['slack-webhook', 'post to ', `https://hooks.slack.com/services/T${draw(8)}/B${draw(8)}/${draw(24)}`, ' posts'],
    ['discord-webhook', `https://discord.com/api/webhooks/${draw(18, '123456789')}/`, draw(68), ''],
    ['npm-token', '//registry.npmjs.org/:_authToken=', draw(36, `${HEX}-`), '\n'],
    ['authorization', 'Authorization: Bearer ', mixed(draw, 32), ''],
    ['authorization', "curl -H 'Authorization: token ", mixed(draw, 24), "' x"],
    ['authorization', 'Authorization: Basic ', `${draw(17)}9==`, '\r\nHost: a'],
    ['authorization', '"authorization": "Bearer ', mixed(draw, 40), '"'],
    ['authorization', 'use bearer ', mixed(draw, 30), ' for it'],
    ['netrc', 'machine api.heroku.com\n  login me@example.org\n  password ', 'correcthorse', '\n'],
    ['netrc', 'machine host login me password ', mixed(draw, 12), '\nmachine other'],
    ...fileSamples(draw),
    ...commandSamples(draw),
    ['curl-user', 'curl -s -u alex:', 'hunter2', ' https://api.test'],
    ...assignmentSamples(draw),
  ];
}

/** By the file, header or setting they stand in. */
function fileSamples(draw: Draw): Sample[] {
  const word = (): string => mixed(draw, 14);
  const base64 = (length: number): string => `${draw(length - 1, BASE64)}=`;
  const crypt = (length: number): string => `x9${draw(length - 2, `${ALNUM}./`)}`;
  return [
    ['github-token', '{"out":"done\\n', ['gh', 'p_', draw(36)].join(''), '\\nnext"}'],
    ['command-password', '{"command":"cd /srv\\nmysqldump -h db -uroot -p', word(), ' main"}'],
    ['pgpass', '{"out":"# pgpass\\ndb.corp.test:5432:main:app:', word(), '\\n"}'],
    ['netrc', '{"out":"machine api.corp.test\\n  login alex\\n  password ', word(), '\\n"}'],
    ['netrc', '{"command":"cat .netrc","out":"machine api.corp.test login alex password ', word(), '"}'],
    ['netrc', 'cat ~/.netrc says machine git.corp.test login alex password ', 'correcthorse', ' and no more'],
    ['netrc', 'machine imap.corp.test login alex port 993 password ', word(), ''],
    ['netrc', 'machine git.corp.test password ', word(), ' login alex'],
    ['netrc', 'machine git.corp.test\n\tlogin alex\n\taccount main\n\tpassword "', `two words ${draw(6)}`, '"\n'],
    ['netrc', 'default login anonymous password ', word(), '\n'],
    ['pgpass', 'db.corp.test:5432:main:app:', word(), '\n'],
    ['pgpass', '# pgpass\n*:*:*:postgres:', word(), ''],
    ['docker-auth', '{"auths":{"registry.corp.test":{"auth":"', base64(32), '"}}}'],
    ['docker-auth', '{\\"auth\\": \\"', base64(32), '\\"}'],
    ['npm-token', '//registry.corp.test/:_password=', base64(24), '\n'],
    ['kube-secret', '    client-key-data: ', base64(200), '\n'],
    ['kube-secret', 'kind: Secret\nmetadata:\n  name: db\ndata:\n  db-pass: ', base64(20), '\n'],
    ['password-hash', 'root:', `$6$${draw(12)}$${crypt(86)}`, ':19000:0:99999:7:::'],
    ['password-hash', 'alex:', `$apr1$${draw(8)}$${crypt(22)}`, '\n'],
    ['password-hash', "INSERT INTO users VALUES (7, '", `$2b$12$${crypt(53)}`, "');"],
    ['password-hash', 'hash = ', `$argon2id$v=19$m=65536,t=3,p=4$${draw(22)}$${draw(43)}`, ''],
    ['password-hash', '"', `pbkdf2_sha256$600000$${draw(22)}$${draw(43)}=`, '"'],
    ['wifi-key', 'network={\n  ssid="harbour"\n  psk="', 'correcthorse9', '"\n}'],
    ['vpn-key', '[Interface]\nPrivateKey = ', base64(44), '\nAddress = 10.0.0.2/32'],
    ['vpn-key', 'PresharedKey = ', base64(44), '\n'],
    ['cookie', 'Cookie: ', `sessionid=${mixed(draw, 32)}`, '; theme=dark'],
    ['cookie', 'HTTP/1.1 200 OK\nSet-Cookie: ', `sid=${mixed(draw, 40)}`, '; HttpOnly'],
    ['signed-url', 'https://a.blob.corp.test/c?sv=2024-01-01&sig=', draw(43), '&se=2026'],
    ['signed-url', 'https://b.s3.corp.test/k?X-Amz-Expires=60&X-Amz-Signature=', draw(64, HEX), ''],
    ['private-key', '{"kty":"OKP","crv":"Ed25519","d":"', mixed(draw, 43), '","x":"y"}'],
    ['otp-secret', 'TOTP secret: ', draw(32, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), ''],
  ];
}

/** As people type them, and as tools then tell them. */
function commandSamples(draw: Draw): Sample[] {
  const lines: [before: string, after: string][] = [
    ['sshpass -p ', ' ssh alex@host.test'],
    ['mysql -u root -p', ' main'],
    ['mysqldump -h db -uroot -p', ' main > a.sql'],
    ['redis-cli -h cache -a ', ' ping'],
    ['docker login -u alex -p ', ' registry.corp.test'],
    ['mongosh --host db -u app -p ', ' main'],
    ['ldapsearch -D cn=admin -w ', ' -b dc=corp'],
    ['sqlcmd -S db -U sa -P ', ' -Q x'],
    ['7z x -p', ' a.7z'],
    ['unzip -P ', ' a.zip'],
    ['smbclient //files/share -U alex%', ''],
    ['http -a alex:', ' GET api.test'],
    ['openssl pkcs12 -in a.p12 -passin pass:', ' -nodes'],
    ['htpasswd -bB .htpasswd alex ', ''],
    ['rabbitmqctl add_user alex ', ''],
    ["echo 'root:", "' | chpasswd"],
  ];
  return lines.map(([before, after]): Sample => ['command-password', before, mixed(draw, 14), after]);
}

function assignmentSamples(draw: Draw): Sample[] {
  const passwords: [before: string, after: string][] = [
    ['password = ', ''],
    ['password: "', '"'],
    ["DB_PASSWORD='", "' # prod"],
    ['export PGPASSWD=', '\nrun'],
    ['{"user":"a","password":"', '"}'],
    ['{\\"password\\": \\"', '\\"}'],
    ['- **Password:** ', ''],
    ['the wifi password is ', '.'],
    ['My password for the bank is ', '!'],
    ['The password of our old staging server was ', ', I think.'],
    ['Das Passwort für das WLAN im Büro lautet ', '.'],
    ['password for the router: ', ''],
    ['<password>', '</password>'],
    ['| password | ', ' |'],
    ['Server=db;Password=', ';Database=x'],
    ['mysql --password=', ' -h db'],
    ['--db-password ', ' --verbose'],
    ['?user=a&pwd=', '&x=1'],
    ['Passphrase: ', ', keep it'],
    ['Passwort: ', ''],
    ['密码：', ' 请保存'],
    ['密码是', ''],
    ['das Passwort lautet ', '.'],
    ['пароль: ', ''],
    ['mot de passe : ', ''],
    ['my contraseña = ', ''],
    ['(password: ', ')'],
    ['SMTP_PASS=', ''],
    ['pw: ', ''],
  ];
  const secrets: [before: string, after: string][] = [
    ['api_key: ', ''],
    ['apiKey = "', '";'],
    ['API-KEY=', '\n'],
    ['STRIPE_SECRET=', ''],
    ['client_secret: ', ' # app'],
    ['access_token=', '&scope=all'],
    ['"refreshToken": "', '",'],
    ['SESSION_SECRET=', ''],
    ['token: ', ''],
    ['the token is ', ', valid until May'],
    ['x-api-key: ', ''],
    ['--api-key ', ' --all'],
    ['signing_key => ', ''],
    ['credentials: ', ''],
    ['otpauth://totp/a?secret=', '&issuer=b'],
  ];
  return [
    ...passwords.map(([before, after]): Sample => ['password', before, mixed(draw, 14), after]),
    ...['hunter2', 'Tr0ub4dor&3', 'P@ssw0rd', 'sunshine!42', 'test-4f9a8c2e1b'].map((weak): Sample => [
      'password',
      'password: ',
      weak,
      '',
    ]),
    ...secrets.map(([before, after]): Sample => ['secret', before, mixed(draw, 28), after]),
    ['secret', 'secret: ', draw(64, HEX), ''],
    ['secret', 'api_key=', '5f0e8400-e29b-41d4-a716-4466554400a0', ''],
  ];
}
