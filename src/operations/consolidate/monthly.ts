import { rollUp } from './journals.ts';
import type { Step } from './step.ts';

export const MONTHLY_STEPS: readonly Step[] = [rollUp];
