import { rollUp } from './journals.ts';
import type { Step } from './step.ts';

export const WEEKLY_STEPS: readonly Step[] = [rollUp];
