import { briefing } from '../../../operations/briefing.ts';
import { diffBriefings, showReceipt } from '../../../operations/briefing/receipts.ts';
import { listFiles, measureText, readFile } from '../../../operations/browse/files.ts';
import { fadingNext } from '../../../operations/decay/fading.ts';
import { listReceipts } from '../../../operations/browse/receipts.ts';
import { saveFile } from '../../../operations/browse/save-file.ts';
import { timeline } from '../../../operations/browse/timeline.ts';
import { compact } from '../../../operations/compact.ts';
import { feedback, feedbackList } from '../../../operations/control/feedback.ts';
import { ignoreAdd, ignoreList, ignoreRemove } from '../../../operations/control/ignore.ts';
import { explainDecay } from '../../../operations/decay/explain.ts';
import { runDecay } from '../../../operations/decay/run.ts';
import { decayStatus } from '../../../operations/decay/status.ts';
import { forget } from '../../../operations/forget.ts';
import { confirmForget } from '../../../operations/forget/confirm.ts';
import { forgetByStrategy } from '../../../operations/decay/forget-by-strategy.ts';
import { coreAdd, coreEdit, coreShow } from '../../../operations/stores/core.ts';
import { episodes, episodeShow } from '../../../operations/stores/episodes.ts';
import { pin } from '../../../operations/stores/pin.ts';
import { why } from '../../../operations/why.ts';
import { route } from '../route.ts';

/** What is remembered: written, found, told, faded, put away. */
export const MEMORY_ROUTES = {
  why: route(why),
  pin: route(pin),
  feedback: route(feedback),
  'feedback list': route(feedbackList),
  'ignore list': route(ignoreList),
  'ignore add': route(ignoreAdd),
  'ignore remove': route(ignoreRemove),
  'files list': route(listFiles),
  'files read': route(readFile),
  'files save': route(saveFile, { method: 'PUT' }),
  'files preview': route(measureText, { method: 'POST' }),
  'core show': route(coreShow),
  'core add': route(coreAdd),
  'core edit': route(coreEdit),
  episodes: route(episodes),
  'episodes show': route(episodeShow),
  timeline: route(timeline),
  context: route(briefing, { method: 'POST' }),
  'context list': route(listReceipts),
  'context show': route(showReceipt),
  'context diff': route(diffBriefings, { method: 'POST' }),
  compact: route(compact, { isLong: true }),
  forget: route(forget, { method: 'POST' }),
  'forget strategy': route(forgetByStrategy, { method: 'POST' }),
  'forget confirm': route(confirmForget, { method: 'POST', needs: 'propose', isLong: true }),
  'decay status': route(decayStatus),
  'decay explain': route(explainDecay),
  'decay next': route(fadingNext),
  'decay run': route(runDecay, { isLong: true }),
};
