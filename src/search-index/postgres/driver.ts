import type * as Pg from 'pg';
import { errorMessage, MnemeError } from '../../model/errors.ts';

const DRIVER = 'pg';

/** The driver, an optional package: by a name that bundlers cannot see, so that it stays outside. */
export async function loadDriver(importPackage = importInstalled): Promise<typeof Pg> {
  try {
    return (await importPackage(DRIVER)) as typeof Pg;
  } catch (error) {
    throw new MnemeError('not-found', `PostgreSQL needs the package ${DRIVER}: ${errorMessage(error)}.`, {
      hint: `Run: npm install ${DRIVER} (with -g if mneme is installed so).`,
      cause: error,
    });
  }
}

const importInstalled = (name: string): Promise<unknown> => import(name);
