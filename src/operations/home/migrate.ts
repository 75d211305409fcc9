import { readConfig, writeConfig } from '../../workspace/config/file.ts';
import { applyMigration, planMigration } from '../../workspace/config/migrate.ts';

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
