import type { Eraser } from '../workspace/registries.ts';
import type { ChainRecorder } from './record/recorder.ts';

/**
 * Before any word goes: which entries commit to it, so that their salts can go with it and an entry can say so. In a
 * backup only the salts go, because nothing is signed there.
 */
export function createChainEraser(recorder: ChainRecorder, mode: 'enter' | 'silent'): Eraser {
  return {
    name: 'chain',
    erase: async (erasure) => (await import('./erase-openings.ts')).eraseOpenings(recorder, erasure, mode),
  };
}
