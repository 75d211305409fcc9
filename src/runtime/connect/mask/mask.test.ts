import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSettings, namesSecret } from './mask.ts';

const M = '[redacted:setting]';

describe('a name', () => {
  it.each([
    'API_KEY',
    'apiKey',
    'oauthToken',
    '--token',
    'PASSWORD',
    'db_pwd',
    'x-auth',
    'sessionId',
    'Cookie',
    'creds',
  ])('tells a secret: %s', (name) => {
    expect(namesSecret(name)).toBe(true);
  });

  it.each(['author', 'SessionStart', 'SessionEnd', 'keymap', 'command', 'url', 'tokenizer', 'type', 'args'])(
    'tells none: %s',
    (name) => {
      expect(namesSecret(name)).toBe(false);
    },
  );
});

describe('settings in JSON as they are shown', () => {
  it('mask values by their key, by the argument before and by the parameter', () => {
    const shown = maskSettings(
      `{
  "API_KEY":"sk-live-SECRET1", 'PASSWORD' : 'correct horse', "API_TOKEN":"tok", "auth": { "user": "me", "n": [1234] },
  "args":["--token","Zx8Kq2","--verbose","plain","--api-key=Abc1","-e","FOO=bar baz","-H","X-Foo: a b"],
  "url": "https://me:hush@example.org/x?page=2&key=AbCdEf1#top",
  "command": "run --secret hush2 --port 80", "h": "Authorization: Bearer hush3 hush4", "b": "bearer hush5",
  "name": "Anna", "on": true, "port": 80, "empty": { "password": "" }
}`,
      'json',
    );
    expect(shown).not.toMatch(/SECRET1|correct|horse|"tok"|"me"|1234|Zx8Kq2|Abc1|bar|baz|a b|hush|AbCdEf1/u);
    for (const kept of [
      `"API_KEY":"${M}"`,
      `["--token","${M}","--verbose","plain","--api-key=${M}","-e","FOO=${M}","-H","X-Foo: ${M}"]`,
      `"https://${M}@example.org/x?page=2&key=${M}#top"`,
      `"run --secret ${M} --port 80"`,
      '"name": "Anna", "on": true, "port": 80, "empty": { "password": "" }',
    ]) {
      expect(shown).toContain(kept);
    }
  });

  it('mask all that other servers are given, and leave Mneme’s own entry and hooks', () => {
    const own = '"mneme": { "command": "node", "env": { "MNEME_HOME": "/x" } }';
    const hooks = '"hooks": { "SessionStart": [{ "hooks": [{ "command": "mneme hook" }] }] }';
    const shown = maskSettings(
      `{ "mcpServers": { "gh": { "env": { "T": "a1", "N": 7 }, "headers": {"X": "a2"} }, ${own} }, ${hooks} }`,
      'json',
    );
    expect(shown).toBe(
      `{ "mcpServers": { "gh": { "env": { "T": "${M}", "N": ${M} }, "headers": {"X": "${M}"} }, ${own} }, ${hooks} }`,
    );
  });

  it('mask what comments say', () => {
    const shown = maskSettings('{\n // "token": "a1"\n /* "env": { "X": "a2" } */ "a": "b" // fine\n}', 'json');
    expect(shown).not.toMatch(/a1|a2/u);
    expect(shown).toContain('"a": "b" // fine');
  });

  it('are done with at once, however long a word is', () => {
    const long = `{"a": "${'x-'.repeat(200_000)}", "token": "a1"}`;
    expect(maskSettings(long, 'json')).toBe(long.replace('a1', M));
  });

  it('stay as they are where nothing is secret', () => {
    const key = fc.constantFrom('a', 'name', 'args', 'x y');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('', 'word', 'a"b', String.raw`c:\d`, '// no comment', 3, true, null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(maskSettings(text, 'json')).toBe(text);
      }),
    );
  });
});

describe('settings in TOML as they are shown', () => {
  it('mask the same', () => {
    const shown = maskSettings(
      `model = "o5" # token: a0
[mcp_servers.gh]
command = "npx"
args = ["--token", "a1", 'x?key=a2']
env = { T = "a3", "U" = 'a4' }
http_headers.X = "a5"
[mcp_servers.gh.env]
V = """
a6
a6"""
api_key = "a7"
[mcp_servers.mneme.env]
MNEME_HOME = "/x"
`,
      'toml',
    );
    expect(shown).not.toMatch(/a[0-7]/u);
    expect(shown).toContain(`args = ["--token", "${M}", 'x?key=${M}']\nenv = { T = "${M}", "U" = '${M}' }`);
    expect(shown).toContain('[mcp_servers.mneme.env]\nMNEME_HOME = "/x"\n');
    expect(shown).toContain('model = "o5" #');
  });

  it('know which quotes have escapes', () => {
    const shown = maskSettings(
      String.raw`args = ['C:\', "--token", "a1", '''x'''', """y\"""z""", "", "--key", 'a2']`,
      'toml',
    );
    expect(shown).not.toMatch(/a1|a2/u);
    expect(shown).toContain(String.raw`'C:\', "--token"`);
  });
});
