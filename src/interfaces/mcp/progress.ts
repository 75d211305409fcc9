/** The interval of progress reports to a waiting client: well within the minute after which clients give up. */
const PULSE_MS = 1000;

export interface ProgressStep {
  readonly progress: number;
  readonly message: string;
}

/**
 * Runs a call that tells how far it is: whenever it says so itself, and every second that it goes on. Nobody knows how long
 * reading and judging takes, so the number only grows, as the protocol wants it.
 */
export async function withProgress<T>(
  send: ((step: ProgressStep) => void) | undefined,
  body: (report: (step: string) => void) => Promise<T>,
  pulseMs = PULSE_MS,
): Promise<T> {
  if (send === undefined) return body(() => undefined);
  let progress = 0;
  let message = 'Waiting for its turn.';
  const tell = (): void => {
    progress += 1;
    send({ progress, message });
  };
  const report = (step: string): void => {
    message = step;
    tell();
  };
  const pulse = setInterval(tell, pulseMs);
  try {
    return await body(report);
  } finally {
    clearInterval(pulse);
  }
}
