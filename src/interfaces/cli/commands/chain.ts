import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { ANCHOR_KINDS } from '../../../chain/entry.ts';
import { MnemeError, systemCode } from '../../../model/errors.ts';
import { ADDED_TYPES, chainAdd } from '../../../operations/chain/add.ts';
import { chainAnchor } from '../../../operations/chain/anchor.ts';
import { chainProve } from '../../../operations/chain/prove.ts';
import { chainShow } from '../../../operations/chain/show.ts';
import { chainStats } from '../../../operations/chain/stats.ts';
import { chainSync } from '../../../operations/chain/sync.ts';
import { chainVerify } from '../../../operations/chain/verify.ts';
import { verifyProofFile } from '../../../operations/chain/verify-proof.ts';
import { runOperation } from '../../../operations/operation.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { ProgressLine } from '../progress.ts';
import { addChainKeyCommands } from './chain-keys.ts';
import {
  renderAdded,
  renderAnchored,
  renderShown,
  renderStats,
  renderSynced,
  renderVerdict,
  renderVerified,
} from './chain-view.ts';
import { numberOf, show } from './show.ts';

export function addChainCommands(program: Command, cli: Cli): void {
  const chain = program
    .command('chain')
    .summary('Provable history: what was known, when, and that nothing was changed since.')
    .description(
      'A signed, append-only record of transcripts, decisions, approvals and erasures. What it proves is exact: nothing ' +
        'was changed since the last head that somebody else holds.',
    );
  chain
    .command('add <text...>')
    .description(chainAdd.summary)
    .option('--type <type>', `${ADDED_TYPES.join(', ')} (default decision)`)
    .option('--item <id>', 'the memory it belongs to')
    .action(async (words: string[], _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { type?: string; item?: string }>();
      const type = oneOf('--type', ADDED_TYPES, options.type);
      await show(cli, options, chainAdd, { text: words.join(' '), type, item: options.item }, renderAdded);
    });
  addVerify(chain, cli);
  chain
    .command('stats')
    .description(`${chainStats.summary} Note the head somewhere else: verify --head checks against it.`)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), chainStats, {}, renderStats);
    });
  chain
    .command('show [seq]')
    .description(`${chainShow.summary} With a number: that entry and its words.`)
    .option('--limit <number>', 'how many (default 20)')
    .option('--type <type>', 'only entries of this type')
    .action(async (seq: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit?: string; type?: string }>();
      const type = oneOf('--type', chainShow.input.shape.type.unwrap().options, options.type);
      const input = { seq: numberOf('The entry', seq), limit: numberOf('--limit', options.limit), type };
      await show(cli, options, chainShow, input, renderShown);
    });
  addProofs(chain, cli);
  chain
    .command('anchor [kind] [place]')
    .description(`${chainAnchor.summary} Kinds: ${ANCHOR_KINDS.join(', ')}; as chain.anchor says when not given.`)
    .action(async (kind: string | undefined, place: string | undefined, _options, command: Command) => {
      const chosen = oneOf('The kind', ANCHOR_KINDS, kind);
      // A file that is typed is one of this folder's; one of the settings is the home's.
      const input = { kind: chosen, place: chosen === 'file' && place !== undefined ? path.resolve(place) : place };
      await show(cli, command.optsWithGlobals<GlobalOptions>(), chainAnchor, input, renderAnchored);
    });
  chain
    .command('sync [remote]')
    .description(chainSync.summary)
    .action(async (remote: string | undefined, _options, command: Command) => {
      const input = remote === undefined ? {} : { remote };
      const result = await show(cli, command.optsWithGlobals<GlobalOptions>(), chainSync, input, renderSynced);
      if (result.others.some(({ findings }) => findings.length > 0)) cli.exitCode = EXIT_CODES.integrity;
    });
  addChainKeyCommands(chain, cli);
}

function addVerify(chain: Command, cli: Cli): void {
  chain
    .command('verify')
    .description(`${chainVerify.summary} Exit code 7 when it is not; each finding names the entry.`)
    .option('--full', 'every entry and every signature, whatever was verified before')
    .option('--no-content', 'without the transcripts and texts')
    .option('--anchors', 'ask everybody who holds a head')
    .option('--head <head>', 'a head that you hold: SEQ:HASH, or a file')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & { full?: boolean; content?: boolean; anchors?: boolean; head?: string }
      >();
      const line = new ProgressLine(cli, options);
      const { full, content, anchors, head } = options;
      const input = { full, content, anchors, head, onProgress: (step: string) => line.show(`verifying ${step} …`) };
      const result = await cli.withMneme(
        options,
        ({ internals }) => runOperation(chainVerify, internals, input),
        chainVerify,
      );
      line.clear();
      cli.print(options, result, (shown) => renderVerified(cli.style, shown));
      if (!result.isWhole) cli.exitCode = EXIT_CODES.integrity;
    });
}

function addProofs(chain: Command, cli: Cli): void {
  chain
    .command('prove <seq>')
    .description(`${chainProve.summary} It holds the words of that entry or turn, and no others.`)
    .option('--turn <number>', 'for a transcript: which turn')
    .option('--out <file>', 'where the proof goes (default: standard output)')
    .action(async (seq: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { turn?: string; out?: string }>();
      const input = { seq: numberOf('The entry', seq) ?? 0, turn: numberOf('--turn', options.turn) };
      const proof = await cli.withMneme(
        options,
        ({ internals }) => runOperation(chainProve, internals, input),
        chainProve,
      );
      const text = `${JSON.stringify(proof, null, options.json === true ? undefined : 2)}\n`;
      if (options.out === undefined) {
        cli.io.out(text);
        return;
      }
      const file = writeNew(options.out, text);
      const written = { file, seq: input.seq, chain: proof.chain };
      cli.print(options, written, () => `${cli.style.green('Proof')} of entry ${input.seq} written to ${file}\n`);
    });
  chain
    .command('verify-proof <file>')
    .description(
      'Check a proof, offline. Exit code 7 when it proves nothing: without a key only a proof of this home’s own chain does.',
    )
    .option('--key <key>', 'the public key or chain that you trust: digits, or a PEM file')
    .action((file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { key?: string }>();
      const verdict = verifyProofFile(file, options.key, cli.home(options));
      cli.print(options, verdict, (shown) => renderVerdict(cli, shown));
      if (!verdict.isValid) cli.exitCode = EXIT_CODES.integrity;
    });
}

function writeNew(name: string, text: string): string {
  const file = path.resolve(name);
  try {
    fs.writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    throw new MnemeError('conflict', `${file} exists.`, { hint: 'Name another file with --out.' });
  }
  return file;
}

function oneOf<const Options extends readonly string[]>(
  what: string,
  allowed: Options,
  given: string | undefined,
): Options[number] | undefined {
  if (given === undefined) return undefined;
  const found = allowed.find((one) => one === given.toLowerCase());
  if (found !== undefined) return found;
  throw new MnemeError('usage', `${what} is one of ${allowed.join(', ')}, not "${given}".`);
}
