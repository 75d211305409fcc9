import type * as EthersModule from 'ethers';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import { importInstalled } from '../../providers/language/vendors.ts';
import type { AnchorPlace, AnchorReceipt, HeldHead } from './port.ts';

export interface EvmSettings {
  readonly rpcUrl: string;
  /** The private key of the account that pays; only needed to leave a head. */
  readonly key?: string | undefined;
  /** The time a transaction may take to be part of the chain. */
  readonly timeoutMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 180_000;

type Ethers = typeof EthersModule;

/**
 * An EVM chain: the head's hash is the data of a transaction that an account sends to itself. Nothing else of the memory is
 * told, and the block's time is a stranger's clock.
 */
export function createEvmAnchor({ rpcUrl, key, timeoutMs = DEFAULT_TIMEOUT_MS }: EvmSettings): AnchorPlace {
  return {
    kind: 'evm',
    // An address may hold a key of its provider; where it leads is enough to recognise it.
    place: hostOf(rpcUrl),
    async leave({ head }) {
      if (key === undefined) {
        throw new MnemeError('usage', 'The anchor transaction cannot be sent: MNEME_EVM_KEY is not set.', {
          hint: 'Set it to the private key of the account that pays for the transaction.',
        });
      }
      const { provider, ethers } = await connect(rpcUrl);
      try {
        const wallet = new ethers.Wallet(key, provider);
        const sent = await wallet.sendTransaction({ to: wallet.address, value: 0, data: `0x${head}` });
        const mined = await sent.wait(1, timeoutMs);
        if (mined?.status !== 1) throw new MnemeError('failure', `The transaction ${sent.hash} failed.`);
        return { receipt: sent.hash.slice(2).toLowerCase() };
      } catch (error) {
        throw explain(rpcUrl, error);
      } finally {
        provider.destroy();
      }
    },
    async recall(chain, receipts) {
      const { provider } = await connect(rpcUrl);
      try {
        const found = await Promise.all(receipts.map((receipt) => recallOne(provider, chain, receipt)));
        return {
          heads: found.flatMap((one) => (typeof one === 'string' ? [] : [one])),
          problems: found.filter((one) => typeof one === 'string'),
        };
      } catch (error) {
        throw explain(rpcUrl, error);
      } finally {
        provider.destroy();
      }
    },
  };
}

type Provider = InstanceType<Ethers['JsonRpcProvider']>;

async function recallOne(provider: Provider, chain: string, receipt: AnchorReceipt): Promise<HeldHead | string> {
  const hash = `0x${receipt.receipt ?? ''}`;
  const [transaction, mined] = await Promise.all([provider.getTransaction(hash), provider.getTransactionReceipt(hash)]);
  if (transaction === null || mined?.status !== 1) return `the transaction ${hash} is not in the chain`;
  const head = transaction.data.slice(2).toLowerCase();
  if (!/^[0-9a-f]{64}$/u.test(head)) return `the transaction ${hash} holds no head`;
  const block = await provider.getBlock(mined.blockNumber);
  const heldSince = block === null ? null : new Date(block.timestamp * 1000).toISOString();
  return { chain, seq: receipt.seq, head, heldSince };
}

async function connect(rpcUrl: string): Promise<{ readonly ethers: Ethers; readonly provider: Provider }> {
  const ethers = await loadEthers();
  const request = new ethers.FetchRequest(rpcUrl);
  request.timeout = 30_000;
  // Otherwise it goes on looking for a node that is not there, for ever.
  const network = await identify(ethers, request, rpcUrl);
  return { ethers, provider: new ethers.JsonRpcProvider(request, network, { staticNetwork: true, cacheTimeout: -1 }) };
}

async function identify(
  ethers: Ethers,
  request: InstanceType<Ethers['FetchRequest']>,
  rpcUrl: string,
): Promise<bigint> {
  const asked = request.clone();
  asked.body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  try {
    const { bodyJson } = await asked.send();
    const { result } = bodyJson as { result?: unknown };
    if (typeof result === 'string') return ethers.getBigInt(result);
  } catch (error) {
    throw explain(rpcUrl, error);
  }
  throw explain(rpcUrl, new Error('it does not say which chain it is'));
}

async function loadEthers(): Promise<Ethers> {
  try {
    return (await importInstalled('ethers')) as Ethers;
  } catch (error) {
    throw new MnemeError('failure', 'Anchoring in an EVM chain needs the package ethers, which is not installed.', {
      hint: 'Install it beside mneme: npm install ethers@6',
      cause: error,
    });
  }
}

function explain(rpcUrl: string, error: unknown): unknown {
  if (error instanceof MnemeError) return error;
  return new MnemeError(
    'failure',
    `The node at ${hostOf(rpcUrl)} did not do it: ${errorMessage(error).split('\n')[0] ?? ''}`,
    {
      hint: 'Look at its address (MNEME_EVM_RPC_URL) and at the account’s balance.',
      cause: error,
    },
  );
}

function hostOf(rpcUrl: string): string {
  return URL.canParse(rpcUrl) ? new URL(rpcUrl).host : rpcUrl;
}
