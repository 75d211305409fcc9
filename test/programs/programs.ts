import fs from 'node:fs';
import path from 'node:path';

/** Where a program is tried: a user's folder and a project, both made for this run. */
export interface Place {
  readonly user: string;
  readonly project: string;
  /** Address of the loopback that plays the model. */
  readonly url: string;
}

/** A program as npm installs it, and how it is pointed at the loopback and asked something without a terminal. */
export interface Program {
  readonly name: string;
  readonly title: string;
  readonly npm: string;
  readonly bin: string;
  /** Settings as a user may have had them; they must be the same bytes at the end. */
  settings(place: Place): Readonly<Record<string, string>>;
  environment(place: Place): Readonly<Record<string, string>>;
  /** Arguments that ask once and end. */
  ask(prompt: string, place: Place): readonly string[];
  /** Set where the program's own commands connect it, instead of `mneme install`. */
  readonly own?: {
    connect(packed: string): readonly (readonly string[])[];
    disconnect(packed: string): readonly (readonly string[])[];
  };
  /** What the user has to do that no installer may: shown in the matrix. */
  readonly byHand: string;
}

const claudeCode: Program = {
  name: 'claude-code',
  title: 'Claude Code',
  npm: '@anthropic-ai/claude-code',
  bin: 'claude',
  settings: () => ({ '.claude/settings.json': '{\n   "env": { "KEPT": "1" }\n}\n' }),
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'loopback',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  ask: (prompt) => ['-p', prompt, '--allowedTools', 'mcp__mneme__memory_search'],
  byHand: 'nothing',
};

const codex: Program = {
  name: 'codex',
  title: 'Codex',
  npm: '@openai/codex',
  bin: 'codex',
  settings: ({ url }) => ({
    '.codex/config.toml': `# mine\nmodel = "loopback"\nmodel_provider = "loopback"\n\n[model_providers.loopback]\nname = "Loopback"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`,
  }),
  environment: () => ({}),
  ask: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
  byHand: 'review and trust the hooks once with `/hooks`',
};

const gemini: Program = {
  name: 'gemini',
  title: 'Gemini CLI',
  npm: '@google/gemini-cli',
  bin: 'gemini',
  settings: () => ({
    '.gemini/settings.json':
      '{\n  // mine\n  "security": { "auth": { "selectedType": "gemini-api-key" } },\n  "telemetry": { "enabled": false }\n}\n',
  }),
  environment: ({ url }) => ({ GEMINI_API_KEY: 'loopback', GOOGLE_GEMINI_BASE_URL: url }),
  ask: (prompt) => ['-m', 'gemini-2.5-flash', '--skip-trust', '--approval-mode', 'yolo', '-p', prompt],
  byHand: 'trust the folder when Gemini CLI asks',
};

const openclaw: Program = {
  name: 'openclaw',
  title: 'OpenClaw (plugin)',
  npm: 'openclaw',
  bin: 'openclaw',
  settings: ({ url }) => ({
    '.openclaw/openclaw.json': `${JSON.stringify(openclawSettings(url), null, 2)}\n`,
  }),
  environment: () => ({}),
  ask: (prompt) => ['agent', '--local', '--agent', 'main', '--message', prompt],
  own: {
    // As docs/openclaw.md says.
    connect: (packed) => [
      ['plugins', 'install', packed, '--force', '--accept-capabilities'],
      ['plugins', 'disable', 'memory-core'],
    ],
    disconnect: () => [['plugins', 'uninstall', 'mneme', '--force']],
  },
  byHand: 'allow conversation access; OpenClaw’s own uninstall leaves a disabled entry',
};

function openclawSettings(url: string): object {
  const model = { id: 'loopback', name: 'Loopback', contextWindow: 128_000, maxTokens: 4096 };
  const provider = { baseUrl: `${url}/v1`, apiKey: 'loopback', api: 'openai-completions', models: [model] };
  return {
    agents: { defaults: { model: { primary: 'loopback/loopback' } } },
    models: { mode: 'merge', providers: { loopback: provider } },
    // The loopback calls what it is shown, and looks for nothing.
    tools: { toolSearch: false },
    plugins: { entries: { mneme: { hooks: { allowConversationAccess: true } } } },
  };
}

const opencode: Program = {
  name: 'opencode',
  title: 'opencode',
  // The program itself: the package that chooses one for the machine names those of every other.
  npm: 'opencode-linux-x64',
  bin: '../opencode-linux-x64/bin/opencode',
  settings: ({ url }) => ({
    '.config/opencode/opencode.json': `${JSON.stringify(opencodeSettings(url), null, 2)}\n`,
  }),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  ask: (prompt) => ['run', prompt],
  byHand: 'nothing',
};

function opencodeSettings(url: string): object {
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Loopback',
    options: { baseURL: `${url}/v1`, apiKey: 'loopback' },
    models: { loopback: { name: 'Loopback' } },
  };
  // opencode writes the schema into a file that lacks it.
  const $schema = 'https://opencode.ai/config.json';
  return { $schema, model: 'loopback/loopback', small_model: 'loopback/loopback', provider: { loopback: provider } };
}

const pi: Program = {
  name: 'pi',
  title: 'pi (extension)',
  npm: '@earendil-works/pi-coding-agent',
  bin: 'pi',
  settings: ({ url }) => {
    const provider = {
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: 'loopback',
      models: [{ id: 'loopback' }],
    };
    return {
      '.pi/agent/models.json': `${JSON.stringify({ providers: { loopback: provider } }, null, 2)}\n`,
      '.pi/agent/settings.json': '{\n  "defaultProvider": "loopback",\n  "defaultModel": "loopback"\n}\n',
    };
  },
  environment: () => ({ PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0', PI_OFFLINE: '1' }),
  ask: (prompt) => ['-p', prompt],
  own: { connect: (packed) => [['install', packed]], disconnect: (packed) => [['remove', packed]] },
  byHand: 'nothing; pi’s own commands connect it',
};

export const PROGRAMS: readonly Program[] = [claudeCode, codex, gemini, openclaw, opencode, pi];

/** The version that the program's lockfile pins. */
export function pinnedVersion({ name, npm }: Program): string {
  const file = path.join(packageFolder(name), 'package.json');
  const { dependencies } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return dependencies[npm] ?? '';
}

export function packageFolder(name: string): string {
  return path.join(import.meta.dirname, 'packages', name);
}
