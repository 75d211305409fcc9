import { fts5 } from './fts5.ts';
import { mem0 } from './mem0.ts';
import { mneme } from './mneme.ts';
import { openclaw } from './openclaw.ts';
import type { Peer } from './peer.ts';
import { qmdPeers } from './qmd.ts';
import { serverMemory } from './server-memory.ts';

export const PEERS: readonly Peer[] = [mneme, fts5, ...qmdPeers, mem0, serverMemory, openclaw];
