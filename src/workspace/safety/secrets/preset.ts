import { MnemeError } from '../../../model/errors.ts';
import { publicPrefix, type SecretSpan } from './rule.ts';
import { isPlaceholder } from './values.ts';

/** The part of secretlint's rule interface that its preset's rules use. */
interface PresetReport {
  readonly message: { readonly data?: object | undefined };
  readonly range: readonly [number, number];
}

interface PresetContext {
  readonly sharedOptions: object;
  createTranslator(messages: object): (messageId: string, data?: object) => PresetReport['message'];
  report(report: PresetReport): void;
  ignore(report: object): void;
}

interface PresetRule {
  readonly meta: { readonly id: string };
  create(context: PresetContext, options: object): { file?(source: object): void | Promise<void> };
}

/** Text could otherwise switch the other rules off by a comment. */
const IGNORED_RULE = '@secretlint/secretlint-rule-filter-comments';

let loadedRules: Promise<readonly PresetRule[]> | undefined;

/**
 * The preset's rules are run directly: secretlint's core keeps about 20 KB of performance marks for each call, for
 * ever, and compares every finding with every other. Loaded on first use; most commands never need them.
 */
function loadRules(): Promise<readonly PresetRule[]> {
  loadedRules ??= importRules();
  return loadedRules;
}

async function importRules(): Promise<readonly PresetRule[]> {
  try {
    const preset: { readonly rules: readonly PresetRule[] } =
      await import('@secretlint/secretlint-rule-preset-recommend');
    return preset.rules.filter((rule) => rule.meta.id !== IGNORED_RULE);
  } catch (error) {
    throw new MnemeError('failure', 'The rules that recognise secrets cannot be loaded, so nothing is written.', {
      hint: 'Install Mneme again, or set redaction.enabled: false if that is really meant.',
      cause: error,
    });
  }
}

function ruleName(id: string): string {
  return id.replace(/^.*secretlint-rule-/, '').replace(/[^a-z0-9-]/g, '-');
}

const URL_PASSWORD = /^[^:\s]{1,40}:\/\/[^:/\s]{0,256}:(?<secret>[^\s/]{1,256})@/d;
/** Longer than any name that a rule allows between the place it reports and the secret. */
const NAME_ALLOWANCE = 256;

/**
 * Where the secret really is: some rules report a range of the right length at the wrong place, so the reported text
 * is looked up; and of a URL with credentials only the password goes, unless it is the usual `user:pass`.
 */
function locateSecret(rule: PresetRule, text: string, { message, range }: PresetReport): SecretSpan | undefined {
  const nearby = text.slice(range[0], range[1] + NAME_ALLOWANCE);
  const reported = Object.values(message.data ?? {})
    .filter((value) => typeof value === 'string' && value !== '' && nearby.includes(value))
    .sort((a, b) => b.length - a.length)[0];
  const match = reported ?? text.slice(...range);
  const offset = range[0] + nearby.indexOf(match);
  const password = URL_PASSWORD.exec(match)?.indices?.groups?.['secret'];
  if (password !== undefined && isPlaceholder(match.slice(...password))) return undefined;
  const [start, end] = password ?? [0, match.length];
  return {
    rule: ruleName(rule.meta.id),
    start: offset + start,
    end: offset + end,
    shownPrefix: password === undefined ? publicPrefix(match) : '',
  };
}

/** Everything secretlint's recommended rules find in a text. */
export async function findByPreset(text: string): Promise<SecretSpan[]> {
  const spans: SecretSpan[] = [];
  // The rules look at names to recognise key files by their extension; a note has none of those.
  const source = { content: text, filePath: 'note.md', ext: '.md', contentType: 'text' };
  for (const rule of await loadRules()) {
    const context: PresetContext = {
      sharedOptions: {},
      createTranslator: () => (_messageId, data) => ({ data }),
      report: (report) => {
        const span = locateSecret(rule, text, report);
        if (span !== undefined) spans.push(span);
      },
      ignore: () => undefined,
    };
    await rule.create(context, {}).file?.(source);
  }
  return spans;
}
