import { hash } from 'node:crypto';

/** Spreads the jobs of many homes over a while; the same for one job in one home every time. */
export function jitterOf(home: string, job: string, mostMs: number): number {
  const share = Number.parseInt(hash('sha256', `${home}\0${job}`).slice(0, 8), 16) / 0x1_0000_0000;
  return Math.floor(share * (mostMs + 1));
}
