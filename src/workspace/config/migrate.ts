import { CURRENT_FORMAT, type Config } from '../../model/config/schema.ts';
import { MnemeError } from '../../model/errors.ts';
import { writePair } from './edit-text.ts';
import { parseConfig } from './parse.ts';

/** One change of mneme.yaml on the way to a newer format, with the whole text before and after it. */
export interface MigrationStep {
  readonly description: string;
  readonly before: string;
  readonly after: string;
}

export interface MigrationPlan {
  readonly from: number;
  readonly to: number;
  /** Empty when there is nothing to do. */
  readonly steps: readonly MigrationStep[];
}

/** A newer home opens read-only: this version cannot know what else its files mean. */
export function formatStatus(config: Config): 'current' | 'older' | 'newer' {
  if (config.format === CURRENT_FORMAT) return 'current';
  return config.format < CURRENT_FORMAT ? 'older' : 'newer';
}

interface Change {
  readonly description: string;
  readonly change: (text: string) => string;
}

/** The changes from each format to the next; the index is the format they start from. */
const MIGRATIONS: readonly (readonly Change[])[] = [
  [
    {
      description:
        'Write down the time zone that has been in effect, because the dates of existing files depend on it.',
      change: (text) => writePair(text, ['time_zone'], parseConfig(text).config.time_zone, 'top'),
    },
    { description: 'Mark the home as format 1.', change: (text) => writePair(text, ['format'], 1, 'top') },
  ],
];

/** Plans the changes of mneme.yaml that turn a home of that format into one of the current format. */
export function planMigration(fromVersion: number, text: string): MigrationPlan {
  if (fromVersion > CURRENT_FORMAT) {
    throw new MnemeError(
      'refused',
      `The home has format ${fromVersion}; this Mneme knows formats up to ${CURRENT_FORMAT}.`,
      {
        hint: 'Install a newer Mneme; there is no way back to an older format.',
      },
    );
  }
  if (!Number.isInteger(fromVersion) || fromVersion < 0) {
    throw new MnemeError('usage', `${fromVersion} is not a format version.`, { hint: 'Versions are counted from 0.' });
  }
  const syntax = parseConfig(text).findings.find(({ kind }) => kind === 'syntax');
  if (syntax !== undefined) throw new MnemeError('usage', syntax.message, { hint: syntax.hint });
  const steps: MigrationStep[] = [];
  let before = text;
  for (const { description, change } of MIGRATIONS.slice(fromVersion).flat()) {
    const after = change(before);
    if (after !== before) steps.push({ description, before, after });
    before = after;
  }
  return { from: fromVersion, to: CURRENT_FORMAT, steps };
}

/** The migrated text. A text that changed since it was planned is not touched. */
export function applyMigration(plan: MigrationPlan, text: string): string {
  let migrated = text;
  for (const { before, after } of plan.steps) {
    if (migrated !== before) {
      throw new MnemeError('conflict', 'mneme.yaml changed after its migration was planned.', {
        hint: 'Plan it again.',
      });
    }
    migrated = after;
  }
  const { config } = parseConfig(migrated);
  if (config.format !== plan.to) {
    throw new MnemeError('integrity', `The migration left format ${config.format} instead of ${plan.to}.`, {
      hint: `Set \`format: ${plan.to}\` in mneme.yaml by hand.`,
    });
  }
  return migrated;
}
