import { MnemeError } from '../../../model/errors.ts';
import { roleOf } from '../../../model/mutation.ts';
import { systemClock } from '../../../platform/clock.ts';
import { systemRandom } from '../../../platform/random.ts';
import { refuseSecretId } from '../../../workspace/safety/clean-name.ts';
import { createRedactor } from '../../../workspace/safety/redact.ts';
import { readHome } from '../../../workspace/home.ts';
import { TokenFile, type NewToken, type StoredToken } from '../../http/access/token-file.ts';
import type { Cli, GlobalOptions } from '../cli.ts';

export async function openTokens(cli: Cli, options: GlobalOptions): Promise<TokenFile> {
  const { paths } = await readHome(cli.home(options));
  return new TokenFile(paths.state);
}

export async function addToken(cli: Cli, options: GlobalOptions, token: NewToken): Promise<string> {
  assertPerson(cli, options, 'tokens add');
  const { paths, config } = await readHome(cli.home(options));
  await refuseSecretId(createRedactor(config.redaction), token.name, 'name');
  const file = new TokenFile(paths.state);
  return file.add(token, systemRandom, new Date(systemClock.now()).toISOString());
}

export async function revokeToken(cli: Cli, options: GlobalOptions, name: string): Promise<StoredToken> {
  assertPerson(cli, options, 'tokens revoke');
  return (await openTokens(cli, options)).revoke(name);
}

/** Whoever gives out tokens decides what others may do. */
function assertPerson(cli: Cli, options: GlobalOptions, name: string): void {
  const actor = cli.actor(options);
  if (roleOf(actor) === 'human') return;
  throw new MnemeError('refused', `${actor} may not run ${name}: only a person may.`, {
    hint: 'Tell the user who should be let in, and as what.',
  });
}
