/** A line that says nothing; Node sends the head of an answer only with the first of its body. */
const OPENING = new TextEncoder().encode(': open\n\n');

/**
 * The same answer; `onEnd` is called once, when all of it was sent or its client has gone. A stream that waits for events
 * begins at once, or its client would take it for a server that does not answer.
 */
export function whenEnded(response: Response, isWaiting: boolean, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (isWaiting) controller.enqueue(OPENING);
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel: (reason) => {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}
