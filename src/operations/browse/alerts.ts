import { z } from 'zod';
import type { Alert, ExternalEdit } from '../../audit/alerts.ts';
import { defineOperation } from '../operation.ts';

export interface AlertList {
  readonly alerts: readonly Alert[];
  /** Edits that did not come through Mneme and that nobody has answered for. */
  readonly externalEdits: readonly ExternalEdit[];
}

export const listAlerts = defineOperation({
  name: 'audit alerts',
  summary: 'Changes that a person should answer for: of critical files, and from outside.',
  input: z.strictObject({}),
  effect: 'read',
  run: ({ alerts }): Promise<AlertList> => alerts.reported(),
});
