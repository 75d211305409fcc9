import type { Family } from '../table.ts';
import { ACCESS } from './scopes/access.ts';
import { ASKING } from './scopes/asks.ts';
import { MARKED } from './scopes/marked.ts';
import { OTHERS } from './scopes/others.ts';
import { SWEEP } from './scopes/sweep.ts';
import type { ScopeWorld } from './scopes/world.ts';

export const SCOPES: Family<ScopeWorld> = {
  title: 'Scopes and roles, through every door',
  cases: [...ASKING, ...OTHERS, ...MARKED, ...ACCESS, ...SWEEP],
};
