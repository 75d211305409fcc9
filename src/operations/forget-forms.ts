import type { z } from 'zod';
import { MnemeError } from '../model/errors.ts';
import { forgetByStrategy } from './decay/forget-by-strategy.ts';
import { confirmForget } from './forget/confirm.ts';
import { callInstead, type Typed, type TypedVerb } from './verb.ts';

/** `forget --confirm` and `forget --strategy` are verbs of their own. */
export function otherFormOf({ input, extra }: Typed<z.ZodType>): TypedVerb | undefined {
  const {
    text,
    ids = [],
    permanently,
    limit,
  } = input as Record<string, unknown> & { readonly ids?: readonly string[] };
  const { strategy, store, dryRun, confirm, only, alsoInside, said } = extra as ForgetExtra;
  const isNamed = text !== undefined || ids.length > 0 || permanently === true;
  if (confirm !== undefined) {
    if (!isNamed) return callInstead(confirmForget, { code: confirm, only: numbersOf(only), alsoInside, said });
    throw new MnemeError('usage', 'A code confirms the list as it was shown; nothing can be added to it.', {
      hint: `mneme forget --confirm ${confirm} [--only 1,3]`,
    });
  }
  if (strategy !== undefined) {
    const given = { strategy, stores: store ?? [], limit, dryRun } as z.input<typeof forgetByStrategy.input>;
    if (!isNamed) return callInstead(forgetByStrategy, given);
    throw new MnemeError('usage', '--strategy finds by itself what to archive: no words, no --id, no --permanently.', {
      hint: `mneme forget --strategy ${strategy} --dry-run`,
    });
  }
  if (store !== undefined || dryRun === true) {
    throw new MnemeError('usage', '--store and --dry-run go with --strategy; without it nothing is changed anyway.');
  }
  if (only === undefined && said === undefined && alsoInside !== true) return undefined;
  throw new MnemeError('usage', '--only, --also-inside and --said go with --confirm CODE.');
}

/** Options of `forget`, as typed. */
interface ForgetExtra {
  readonly strategy?: string;
  readonly store?: readonly string[];
  readonly dryRun?: boolean;
  readonly confirm?: string;
  readonly only?: string;
  readonly alsoInside?: boolean;
  readonly said?: string;
}

function numbersOf(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  const parts = list.split(',').map((part) => part.trim());
  const wrong = parts.find((part) => !/^[1-9]\d{0,5}$/u.test(part));
  if (wrong === undefined) return parts.map(Number);
  throw new MnemeError('usage', `--only takes numbers of the list, such as 1,3; "${wrong}" is none.`);
}
