import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { call, type Input, type Name, type Output } from './call.ts';
import { pulses, type LiveEvent } from './live.ts';

export interface Query<Result> {
  /** What was last known stays while it is asked for again. */
  readonly data: Result | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface QueryOptions {
  /** What makes it ask again. */
  readonly on?: readonly LiveEvent[];
  /** Waits so long for the input to stay as it is: for what is typed. */
  readonly debounceMs?: number;
}

/** Asks while it is shown; undefined as input asks nothing. A newer question abandons the one before. */
export function useQuery<N extends Name>(
  name: N,
  input: Input<N> | undefined,
  { on = [], debounceMs = 0 }: QueryOptions = {},
): Query<Output<N>> {
  const [state, setState] = useState<Omit<Query<Output<N>>, 'reload'>>(NOTHING);
  const [round, setRound] = useState(0);
  const key = input === undefined ? undefined : JSON.stringify(input);
  const pulse = on.reduce((sum, event) => sum + pulses[event].value, 0);
  const last = useRef<{ key: string | undefined; name: string }>({ key: undefined, name });
  useEffect(() => {
    if (key === undefined) {
      setState(NOTHING);
      return undefined;
    }
    const isSame = last.current.key === key && last.current.name === name;
    last.current = { key, name };
    const abort = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    const ask = (): void => {
      call(name, JSON.parse(key) as Input<N>, abort.signal).then(
        (data) => setState({ data, error: undefined, isLoading: false }),
        (error: unknown) => {
          if (!abort.signal.aborted) setState((before) => ({ data: before.data, error, isLoading: false }));
        },
      );
    };
    const timer = window.setTimeout(ask, isSame ? 0 : debounceMs);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [name, key, pulse, round, debounceMs]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}

const NOTHING = { data: undefined, error: undefined, isLoading: false };
