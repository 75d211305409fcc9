import path from 'node:path';
import { createEvmAnchor } from '../../chain/anchors/evm-anchor.ts';
import { createFileAnchor } from '../../chain/anchors/file-anchor.ts';
import { createGitAnchor } from '../../chain/anchors/git-anchor.ts';
import type { AnchorPlace, AnchorReceipt } from '../../chain/anchors/port.ts';
import type { AnchorKind } from '../../chain/entry.ts';
import { MnemeError } from '../../model/errors.ts';
import { readVariable } from '../../platform/environment.ts';
import type { OperationContext } from '../context.ts';

/** Variables with the node’s address and the key that pays. */
export const EVM_URL_VARIABLE = 'MNEME_EVM_RPC_URL';
const EVM_KEY_VARIABLE = 'MNEME_EVM_KEY';

/** Where heads are left, as the settings say or as somebody asks. */
export function getAnchorPlace(context: OperationContext, kind: AnchorKind, place?: string): AnchorPlace {
  const found = findAnchorPlace(context, kind, place);
  if (found !== undefined) return found;
  const missing = {
    file: 'chain.anchor_file',
    git: 'chain.anchor_remote',
    evm: EVM_URL_VARIABLE,
  };
  throw new MnemeError('usage', `Where? ${missing[kind]} is not set.`, {
    hint:
      kind === 'evm' ? 'Set it to the address of a node.' : `\`mneme config set ${missing[kind]} PLACE\`, or name it.`,
  });
}

export function findAnchorPlace(context: OperationContext, kind: AnchorKind, place?: string): AnchorPlace | undefined {
  const { config, home, workspace } = context;
  const { anchor_file: file, anchor_remote: remote } = config.chain;
  if (kind === 'file') {
    const chosen = place ?? file;
    return chosen === null ? undefined : createFileAnchor(path.resolve(home, chosen));
  }
  if (kind === 'git') {
    const chosen = place ?? remote;
    return chosen === null ? undefined : createGitAnchor(workspace.git.chain, chosen);
  }
  const rpcUrl = place ?? readVariable(EVM_URL_VARIABLE);
  return rpcUrl === undefined ? undefined : createEvmAnchor({ rpcUrl, key: readVariable(EVM_KEY_VARIABLE) });
}

/** Every place where a head may be: those of the settings, and those that receipts name. */
export function listAnchorPlaces(
  context: OperationContext,
  receipts: readonly AnchorReceipt[],
): { readonly place: AnchorPlace; readonly receipts: readonly AnchorReceipt[] }[] {
  const places = new Map<string, AnchorPlace>();
  const add = (place: AnchorPlace | undefined): void => {
    if (place !== undefined) places.set(`${place.kind} ${place.place}`, place);
  };
  const { anchor, anchor_file: file, anchor_remote: remote } = context.config.chain;
  if (file !== null) add(findAnchorPlace(context, 'file'));
  if (remote !== null) add(findAnchorPlace(context, 'git'));
  if (anchor === 'evm' || receipts.some(({ kind }) => kind === 'evm')) add(findAnchorPlace(context, 'evm'));
  for (const { kind, place } of receipts) if (kind !== 'evm') add(findAnchorPlace(context, kind, place));
  return [...places.values()].map((place) => ({
    place,
    receipts: receipts.filter((one) => one.kind === place.kind && (place.kind === 'evm' || one.place === place.place)),
  }));
}
