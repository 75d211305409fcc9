import { compact } from '../../../operations/compact.ts';
import { route } from '../route.ts';

/** What is remembered: written, found, told, faded, put away. */
export const MEMORY_ROUTES = {
  compact: route(compact, { isLong: true }),
};
