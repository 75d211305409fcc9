import { z } from 'zod';
import { AUDIT_SCOPE } from '../../../audit/checksums.ts';
import { table } from '../../../operations/command-line/style.ts';
import { defineProgram } from '../derive/program.ts';

export const auditScope = defineProgram({
  name: 'audit scope',
  summary: 'Show which files matter how much, who usually changes them, and how often.',
  input: z.strictObject({}),
  start({ cli, options }) {
    cli.print(options, AUDIT_SCOPE, (rows) =>
      table(rows.map((row) => [row.files, row.sensitivity, row.frequency, row.typicalActor, row.holds])),
    );
    return Promise.resolve();
  },
});
