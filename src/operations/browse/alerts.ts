import { z } from 'zod';
import type { Alert, ExternalEdit } from '../../audit/alerts.ts';
import { defineVerb } from '../verb.ts';

export interface AlertList {
  readonly alerts: readonly Alert[];
  /** Edits that did not come through Mneme and that nobody has answered for. */
  readonly externalEdits: readonly ExternalEdit[];
}

export const listAlerts = defineVerb({
  name: 'audit alerts',
  summary: 'List changes that a person should answer for: of critical files, and from outside.',
  input: z.strictObject({}),
  effect: 'read',
  run: ({ alerts }): Promise<AlertList> => alerts.reported(),
  // `mneme status` lists them.
  cli: false,
});
