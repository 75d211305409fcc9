import { changeWorking } from '../../../operations/working/change-context.ts';
import { flush } from '../../../operations/working/flush.ts';
import { loadContext } from '../../../operations/working/load-context.ts';
import { clearContext, listContexts, saveContext } from '../../../operations/working/save-context.ts';
import { route } from '../route.ts';

/** Conversations, what they are about, and what an agent holds in mind. */
export const CONVERSATION_ROUTES = {
  'working show': route(loadContext),
  'working list': route(listContexts),
  working: route(changeWorking),
  'working save': route(saveContext),
  'working clear': route(clearContext),
  'working flush': route(flush, { isLong: true }),
};
