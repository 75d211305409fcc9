import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CURRENT_FORMAT, type Config, defaultConfig } from '../../model/config/schema.ts';
import { errorMessage, MnemeError, systemCode } from '../../model/errors.ts';
import { systemRandom } from '../../platform/random.ts';
import { assertNoLink } from '../own-folders.ts';
import { setConfigValue } from './change.ts';
import { isGoodConfig, type ConfigFinding } from './yaml-source.ts';
import { formatStatus } from './migrate.ts';
import { parseConfig, type ParsedConfig } from './parse.ts';

export const CONFIG_FILE = 'mneme.yaml';
/** The last text of mneme.yaml that was valid in every setting. */
export const LAST_GOOD_FILE = 'journal/last-good-mneme.yaml';

export interface ConfigReading extends ParsedConfig {
  /** The text of mneme.yaml; '' when it is missing. */
  readonly text: string;
  /** Where the settings come from. With `file`, single broken settings may still come from the last good copy. */
  readonly origin: 'file' | 'last-good' | 'defaults';
}

export interface ReadConfigOptions {
  /** Whether a good file is copied for the day it is broken; off for homes that must not be written to. */
  readonly keepLastGood?: boolean | undefined;
}

/**
 * Reads a home's configuration. A broken or missing file does not stop the memory: what it cannot say comes from the last
 * good copy, or the defaults, and the findings say so.
 */
export async function readConfig(
  home: string,
  { keepLastGood = true }: ReadConfigOptions = {},
): Promise<ConfigReading> {
  const text = await readIfPresent(join(home, CONFIG_FILE));
  const copy = await readCopy(home);
  if (text === undefined && copy.text === undefined) {
    const why = existsSync(home) ? `it has no ${CONFIG_FILE}` : 'there is no such folder yet';
    throw new MnemeError('not-found', `${home} is not a Mneme home: ${why}.`, {
      hint: 'Make one with `mneme init`, or name another with --home or MNEME_HOME.',
    });
  }
  if (text === undefined) return withoutFile(parseCopy(copy));
  const { config, findings } = parseConfig(text);
  if (!isGoodConfig(findings)) return withBrokenFile(text, parseCopy(copy));
  const mayCopy = keepLastGood && text !== copy.text && formatStatus(config) !== 'newer';
  const copyFindings = mayCopy ? await copyLastGood(home, text) : copy.findings;
  return { config, findings: [...findings, ...copyFindings], text, origin: 'file' };
}

/** Replaces mneme.yaml in one step: a reader sees the old text or the new one. */
export async function writeConfig(home: string, text: string): Promise<void> {
  await writeAtomically(join(home, CONFIG_FILE), text);
}

interface Copy {
  readonly text: string | undefined;
  readonly findings: readonly ConfigFinding[];
}

async function readCopy(home: string): Promise<Copy> {
  try {
    return { text: await readIfPresent(join(home, LAST_GOOD_FILE)), findings: [] };
  } catch (error) {
    // The copy is only a safety net: that it cannot be read is worth a word, not a stop.
    return { text: undefined, findings: [lastGoodFinding(home, 'read', error)] };
  }
}

interface LastGood {
  /** The copy's settings, or the defaults when there is no usable copy. */
  readonly config: Config;
  readonly origin: 'last-good' | 'defaults';
  readonly name: string;
  readonly findings: readonly ConfigFinding[];
}

/** Only a home whose mneme.yaml is broken pays for reading a second one. */
function parseCopy({ text, findings }: Copy): LastGood {
  const parsed = text === undefined ? undefined : parseConfig(text);
  if (parsed === undefined || !isGoodConfig(parsed.findings)) {
    return { config: defaultConfig(), origin: 'defaults', name: 'the defaults', findings };
  }
  return { config: parsed.config, origin: 'last-good', name: `the last good copy (${LAST_GOOD_FILE})`, findings };
}

function withoutFile(copy: LastGood): ConfigReading {
  const missing = fallbackFinding(`${CONFIG_FILE} is missing; in effect: ${copy.name}.`);
  return { config: copy.config, findings: [missing, ...copy.findings], text: '', origin: copy.origin };
}

function withBrokenFile(text: string, copy: LastGood): ConfigReading {
  const { config, findings } = parseConfig(text, copy.config);
  const isUnreadable = findings.some(({ kind }) => kind === 'syntax');
  const summary = isUnreadable
    ? `${CONFIG_FILE} cannot be read; in effect: ${copy.name}.`
    : `Settings of ${CONFIG_FILE} that are not allowed come from ${copy.name}.`;
  return {
    config,
    findings: [...findings, fallbackFinding(summary), ...copy.findings],
    text,
    origin: isUnreadable ? copy.origin : 'file',
  };
}

function fallbackFinding(message: string): ConfigFinding {
  const hint = `Correct ${CONFIG_FILE}; \`mneme config check\` explains.`;
  return { kind: 'fallback', key: undefined, line: undefined, message, hint };
}

function lastGoodFinding(home: string, what: 'read' | 'written', error: unknown): ConfigFinding {
  const message = `The last good copy of ${CONFIG_FILE} could not be ${what}: ${errorMessage(error)}`;
  const hint = `Make ${join(home, LAST_GOOD_FILE)} readable and writable; until then a broken file falls back to the defaults.`;
  return { kind: 'last-good', key: undefined, line: undefined, message, hint };
}

async function copyLastGood(home: string, text: string): Promise<readonly ConfigFinding[]> {
  try {
    assertNoLink(dirname(join(home, LAST_GOOD_FILE)));
    await writeAtomically(join(home, LAST_GOOD_FILE), text);
    return [];
  } catch (error) {
    return [lastGoodFinding(home, 'written', error)];
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new MnemeError('failure', `${path} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = `${path}.${Buffer.from(systemRandom.bytes(6)).toString('hex')}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(temporary, text, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface NewConfig {
  /** The IANA time zone in which the home's days begin. */
  readonly timeZone: string;
  /** An adopted folder; by default the workspace is made inside the home. */
  readonly workspacePath?: string | undefined;
  readonly gitDir?: string | undefined;
  readonly layout?: string | undefined;
  /** Edits past Mneme are taken over without a question. */
  readonly isEditedDaily?: boolean | undefined;
}

const TEMPLATE = `# Mneme's configuration. Only what differs from the defaults needs to be here: \`mneme config list\` shows every
# setting, \`mneme config set KEY VALUE\` changes one. API keys never belong in this file; they come from the environment.
format: ${CURRENT_FORMAT}

# Fixed: the dates of existing files depend on it.
time_zone: UTC

# Worth a look:
#
# reasoner:
#   provider: anthropic        # with ANTHROPIC_API_KEY set; without a model everything still works
# embedding:
#   provider: ollama           # the built-in one knows English best
# git:
#   remote: git@example.org:me/memory.git
`;

/** The configuration that `init` writes. */
export function newConfigText({ timeZone, workspacePath, gitDir, layout, isEditedDaily = false }: NewConfig): string {
  let text = setConfigValue(TEMPLATE, 'time_zone', timeZone, { force: true });
  const settings = { 'workspace.path': workspacePath, 'workspace.git_dir': gitDir, 'workspace.layout': layout };
  for (const [key, value] of Object.entries(settings)) {
    // As JSON, so that a path such as C:\notes or one with a colon is read back as the text it is.
    if (value !== undefined) text = setConfigValue(text, key, JSON.stringify(value));
  }
  return isEditedDaily ? setConfigValue(text, 'alerts.external_edits', 'false') : text;
}
