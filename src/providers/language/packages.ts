import type * as AiSdk from 'ai';
import { MnemeError, errorMessage } from '../../model/errors.ts';

export type ImportPackage = (name: string) => Promise<unknown>;

/** By a name that bundlers cannot see: the packages are optional and stay outside. */
export const importInstalled: ImportPackage = (name) => import(name);

export const SDK_PACKAGE = 'ai';

/** Loads the SDK and a vendor's package, or says what to install. */
export async function loadPackages(
  vendorPackage: string,
  importPackage: ImportPackage,
): Promise<{ readonly sdk: typeof AiSdk; readonly vendor: unknown }> {
  const needed = [SDK_PACKAGE, vendorPackage];
  const [sdk, vendor] = await Promise.all(needed.map((name) => load(name, needed, importPackage)));
  return { sdk: sdk as typeof AiSdk, vendor };
}

async function load(name: string, needed: readonly string[], importPackage: ImportPackage): Promise<unknown> {
  const command = `npm install ${needed.join(' ')}`;
  try {
    return await importPackage(name);
  } catch (error) {
    if (isMissing(error, name)) {
      throw new MnemeError('not-found', `The package ${name} is not installed.`, {
        hint: `Run: ${command} (with -g if mneme is installed so).`,
        cause: error,
      });
    }
    throw new MnemeError('failure', `The package ${name} cannot be loaded: ${errorMessage(error)}.`, {
      hint: `Install it again: ${command}`,
      cause: error,
    });
  }
}

/** The package itself is missing, rather than something it needs. */
function isMissing(error: unknown, name: string): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && errorMessage(error).includes(`'${name}'`);
}
