export { rememberCounts, type TokenCounter } from './tokens/counter.ts';
export { estimateCounter } from './tokens/estimate.ts';
export { CHARACTERS, openCounter } from './tokens/open-counter.ts';
