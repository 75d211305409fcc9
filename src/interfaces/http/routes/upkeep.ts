import path from 'node:path';
import { z } from 'zod';
import { pause, resume } from '../../../operations/background/pause.ts';
import { createBackup } from '../../../operations/backup/create.ts';
import { MnemeError } from '../../../model/errors.ts';
import { listBackups, readBackups } from '../../../operations/backup/list.ts';
import { checkBackup } from '../../../operations/backup/verify.ts';
import { growth } from '../../../operations/browse/growth.ts';
import { getSettings, setSetting, unsetSetting } from '../../../operations/browse/settings.ts';
import { check } from '../../../operations/check.ts';
import { doctor } from '../../../operations/doctor.ts';
import { maintain } from '../../../operations/history/maintain.ts';
import { importOperation } from '../../../operations/import.ts';
import { costs } from '../../../operations/reasoner/costs.ts';
import { reasonerStatus } from '../../../operations/reasoner/reasoner-status.ts';
import { reasonerTry } from '../../../operations/reasoner/reasoner-try.ts';
import { indexRebuild, indexStatus, indexSync, indexVerify } from '../../../operations/search/index-operations.ts';
import { status } from '../../../operations/status.ts';
import { jobHistory, listJobs, runJobNow } from '../../../runtime/jobs/job-operations.ts';
import { limitedTo, route } from '../route.ts';

const nothing = z.strictObject({});
const checkOnly = limitedTo(check, nothing, () => ({}));
const checkAndRepair = limitedTo(check, nothing, () => ({ repair: true }));

/** By name only, and only those of the home: whoever asks from afar must not open any file of this machine. */
const checkOwnBackup: typeof checkBackup = {
  ...checkBackup,
  run(context, { file }) {
    const own = readBackups(context).find((backup) => backup.file === file || path.basename(backup.file) === file);
    if (file !== undefined && own === undefined) {
      throw new MnemeError('not-found', 'The home has no backup of this name.', {
        hint: '`mneme backup list` shows the backups there are.',
      });
    }
    return checkBackup.run(context, { file: own?.file });
  },
};

/** Whether everything is well, and what keeps it so. */
export const UPKEEP_ROUTES = {
  status: route(status),
  doctor: route(doctor),
  check: route(checkOnly, { isLong: true }),
  'check repair': route(checkAndRepair, { method: 'POST', needs: 'write', isLong: true }),
  growth: route(growth),
  maintain: route(maintain, { isLong: true }),
  pause: route(pause),
  resume: route(resume),
  'index status': route(indexStatus),
  'index verify': route(indexVerify, { method: 'POST', needs: 'write', isLong: true }),
  'index sync': route(indexSync, { method: 'POST', needs: 'write', isLong: true }),
  'index rebuild': route(indexRebuild, { method: 'POST', needs: 'write', isLong: true }),
  'jobs list': route(listJobs),
  'jobs history': route(jobHistory),
  'jobs run': route(runJobNow, { isLong: true }),
  costs: route(costs),
  'reasoner status': route(reasonerStatus),
  'reasoner try': route(reasonerTry, { isLong: true }),
  'backup list': route(listBackups),
  'backup create': route(createBackup, { isLong: true }),
  'backup verify': route(checkOwnBackup, { method: 'POST', needs: 'own', isLong: true }),
  'config get': route(getSettings),
  'config set': route(setSetting),
  'config unset': route(unsetSetting),
  // It reads files of the machine that a token names: only its owner's business.
  import: route(importOperation, { needs: 'own', isLong: true }),
};
