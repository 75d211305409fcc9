import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { setConfigValue, unsetConfigValue } from '../../workspace/config/change.ts';
import { CONFIG_FILE, readConfig, writeConfig } from '../../workspace/config/file.ts';
import { applyMigration, planMigration } from '../../workspace/config/migrate.ts';
import type { OperationContext } from '../context.ts';

export interface ConfigChange {
  readonly key: string;
  readonly mutation: string;
}

/** Changes one setting and says so in the history: mneme.yaml is a critical file. */
export async function changeSetting(
  context: OperationContext,
  key: string,
  value: string | undefined,
  isForced: boolean,
): Promise<ConfigChange> {
  if (roleOf(context.actor) !== 'human') {
    throw new MnemeError('refused', `${CONFIG_FILE} changes only by a person's hand.`, {
      hint: 'Tell the user which setting should change and why.',
    });
  }
  const file = path.join(context.home, CONFIG_FILE);
  const text = fs.readFileSync(file, 'utf8');
  const next =
    value === undefined
      ? unsetConfigValue(text, key, { force: isForced })
      : setConfigValue(text, key, value, { force: isForced });
  const { findings } = await context.workspace.redactor.redact(next);
  if (findings.length > 0) {
    throw new MnemeError('refused', 'That looks like a secret; mneme.yaml is not the place for one.', {
      hint: 'Put it into an environment variable; the `…_env` settings name the variable.',
    });
  }
  await writeConfig(context.home, next);
  // A change made this way is the person's own and raises no alert.
  await context.checksums.accept([CONFIG_FILE]);
  const { mutation } = await context.workspace.commit({
    actor: context.actor,
    approval: '—',
    trigger: 'mneme config',
    action: 'EDIT',
    summary: `${CONFIG_FILE}: ${value === undefined ? `removed ${key}` : `set ${key}`}`,
    changes: [],
  });
  return { key, mutation: mutation ?? '' };
}

export interface Migrated {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly string[];
  readonly isApplied: boolean;
}

/** Brings a home of an older format up to date, or says what that would do. */
export async function migrateHome(home: string, isDryRun: boolean): Promise<Migrated> {
  const { config, text } = await readConfig(home);
  const plan = planMigration(config.format, text);
  const isApplied = !isDryRun && plan.steps.length > 0;
  if (isApplied) await writeConfig(home, applyMigration(plan, text));
  return { from: plan.from, to: plan.to, steps: plan.steps.map(({ description }) => description), isApplied };
}
