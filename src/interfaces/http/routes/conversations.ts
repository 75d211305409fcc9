import { sessionHistory, sessionTranscript } from '../../../operations/browse/sessions.ts';
import { topicsLog } from '../../../operations/topics/gate-log.ts';
import { extract } from '../../../operations/extract/extract.ts';
import { sessionBuffer, sessionProcessed } from '../../../operations/session/buffer.ts';
import { endSession } from '../../../operations/session/end.ts';
import { sessionKnowledge } from '../../../operations/session/knowledge.ts';
import { listSessions, showSession } from '../../../operations/session/list.ts';
import { sessionMessage, sessionTool } from '../../../operations/session/message.ts';
import { resetSession } from '../../../operations/session/reset.ts';
import { startSession } from '../../../operations/session/start.ts';
import { activateTopic, deactivateTopic, topicEvent } from '../../../operations/topics/activate.ts';
import { listTopics, showTopic } from '../../../operations/topics/list.ts';
import { newTopic } from '../../../operations/topics/new.ts';
import { testTopics } from '../../../operations/topics/test.ts';
import { tuneTopics } from '../../../operations/topics/tune.ts';
import { changeWorking } from '../../../operations/working/change-context.ts';
import { flush } from '../../../operations/working/flush.ts';
import { loadContext } from '../../../operations/working/load-context.ts';
import { clearContext, listContexts, saveContext } from '../../../operations/working/save-context.ts';
import { route } from '../route.ts';

/** Conversations, what they are about, and what an agent holds in mind. */
export const CONVERSATION_ROUTES = {
  'session list': route(listSessions),
  'session show': route(showSession),
  'session history': route(sessionHistory),
  'session transcript': route(sessionTranscript),
  'session start': route(startSession),
  'session message': route(sessionMessage),
  'session tool': route(sessionTool),
  'session knowledge': route(sessionKnowledge),
  'session end': route(endSession),
  'session reset': route(resetSession),
  'session buffer': route(sessionBuffer),
  'session processed': route(sessionProcessed),
  extract: route(extract, { isLong: true }),
  'topics list': route(listTopics),
  'topics show': route(showTopic),
  'topics test': route(testTopics, { method: 'POST' }),
  'topics log': route(topicsLog),
  'topics activate': route(activateTopic),
  'topics deactivate': route(deactivateTopic),
  'topics event': route(topicEvent),
  'topics tune': route(tuneTopics, { isLong: true }),
  'topics new': route(newTopic),
  'working show': route(loadContext),
  'working list': route(listContexts),
  working: route(changeWorking),
  'working save': route(saveContext),
  'working clear': route(clearContext),
  'working flush': route(flush, { isLong: true }),
};
