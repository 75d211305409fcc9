import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import { type ErrorCode, errorMessage, isMnemeError } from '../../../model/errors.ts';
import type { Actor } from '../../../model/mutation.ts';
import type { Scope } from '../../../model/provenance.ts';
import { toJson } from '../json.ts';
import type { RecallInput } from '../../../operations/search/recall.ts';

/** The start parameters of a thread. */
interface ThreadStart {
  readonly home: string;
}

/** A question as it goes into a thread; `close` ends it. */
export type ToThread = { readonly number: number; readonly asked: Asked } | 'close';

export interface Asked {
  readonly actor: Actor;
  readonly scope: Scope | undefined;
  readonly input: unknown;
}

export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'answer'; readonly number: number; readonly json: string }
  /** The operation's refusal, for the caller; every other error is `failed` and retried elsewhere. */
  | { readonly kind: 'refusal'; readonly number: number; readonly error: RefusedInWords }
  | { readonly kind: 'failed'; readonly number: number };

interface RefusedInWords {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** A question's objects are garbage at once; more room for them only makes the process larger. */
const YOUNG_GENERATION_MB = 24;

/** A thread that has the home open for itself, to read, and answers questions with a core of its own. */
export function startAnswerThread(start: ThreadStart): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: { mnemeAnswers: start },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
}

function findStart(given: unknown): ThreadStart | undefined {
  return typeof given === 'object' && given !== null && 'mnemeAnswers' in given
    ? (given.mnemeAnswers as ThreadStart)
    : undefined;
}

const start = isMainThread ? undefined : findStart(workerData);
// Not waited for at the top: what is loaded next may need the file that this stands in.
if (start !== undefined && parentPort !== null) void answer(start, parentPort);

async function answer({ home }: ThreadStart, port: MessagePort): Promise<void> {
  const send = (message: FromThread): void => port.postMessage(message, []);
  const [{ Mneme }, { contextFor }, { runOperation }, { recall }] = await Promise.all([
    import('../../../mneme.ts'),
    import('../contexts.ts'),
    import('../../../operations/operation.ts'),
    import('../../../operations/search/recall.ts'),
  ]);
  const onProblem = (message: string): void => send({ kind: 'problem', message });
  const mneme = await Mneme.open({ home, mode: 'read', scan: false, onProblem });
  const answerOne = async (number: number, { actor, scope, input }: Asked): Promise<FromThread> => {
    try {
      const context = contextFor(mneme, { actor, scope });
      // Whatever this is, the operation's own schema looks at it first.
      const result = await runOperation(recall, context, input as RecallInput);
      return { kind: 'answer', number, json: toJson(result) };
    } catch (error) {
      if (!isMnemeError(error) || error.code === 'failure' || error.code === 'integrity') {
        onProblem(errorMessage(error));
        return { kind: 'failed', number };
      }
      const { code, message, hint } = error;
      return { kind: 'refusal', number, error: { code, message, hint } };
    }
  };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (message: ToThread) => {
    if (message === 'close') {
      void last.then(() => mneme.close()).finally(() => port.close());
      return;
    }
    // One after the other: they share a core, and the first should not wait for the second.
    last = last.then(async () => send(await answerOne(message.number, message.asked)));
  });
  send({ kind: 'ready' });
}
