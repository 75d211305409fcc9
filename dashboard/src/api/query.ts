import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, call, type Input, type Name, type Output } from './call.ts';
import { pulses, type LiveEvent } from './live.ts';

export interface Query<Result> {
  /** The last known result; it stays while a new one is requested. */
  readonly data: Result | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

export interface QueryOptions {
  /** Events that trigger a new request. */
  readonly on?: readonly LiveEvent[];
  /** Waits so long for the input to stay as it is: for what is typed. */
  readonly debounceMs?: number;
}

/** The last answers, so that a view that was left is there at once when it comes back. */
const answers = new Map<string, unknown>();
const MAX_ANSWERS = 80;

function rememberAnswer(key: string, data: unknown): void {
  answers.delete(key);
  answers.set(key, data);
  const [oldest] = answers.keys();
  if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
}

/** Questions on their way: two places that show the same ask once. What is typed is abandoned instead. */
const asking = new Map<string, Promise<unknown>>();

/** Asked before the view is there; each is used once. */
const askedEarly = new Map<string, Promise<unknown>>();

/** Asks what the first view will ask, while the page still finds out who looks at it. */
export function askEarly<N extends Name>(name: N, input: Input<N>): void {
  const asked = call(name, input);
  askedEarly.set(`${name} ${JSON.stringify(input)} 0`, asked);
  // The view tells of a failure when it takes the answer.
  asked.catch(() => undefined);
}

function askOnce<N extends Name>(
  name: N,
  key: string,
  pulse: number,
  abandon: AbortSignal | undefined,
): Promise<Output<N>> {
  if (abandon !== undefined) return call(name, JSON.parse(key) as Input<N>, abandon);
  const question = `${name} ${key} ${pulse}`;
  const early = askedEarly.get(question) as Promise<Output<N>> | undefined;
  askedEarly.delete(question);
  if (early !== undefined) return early;
  const known = asking.get(question) as Promise<Output<N>> | undefined;
  if (known !== undefined) return known;
  const asked = call(name, JSON.parse(key) as Input<N>);
  asking.set(question, asked);
  const forget = (): void => void asking.delete(question);
  asked.then(forget, forget);
  return asked;
}

/** Clears the cache, so that the next person to log in does not see another person's data. */
export function forgetAnswers(): void {
  answers.clear();
  askedEarly.clear();
}

/** Asks while it is shown; undefined as input asks nothing. A newer question abandons the one before. */
export function useQuery<N extends Name>(
  name: N,
  input: Input<N> | undefined,
  { on = [], debounceMs = 0 }: QueryOptions = {},
): Query<Output<N>> {
  const key = input === undefined ? undefined : JSON.stringify(input);
  const known = (asked: string | undefined): Omit<Query<Output<N>>, 'reload'> => {
    const data = asked === undefined ? undefined : (answers.get(`${name} ${asked}`) as Output<N> | undefined);
    return { data, error: undefined, isLoading: asked !== undefined };
  };
  const [state, setState] = useState(() => known(key));
  const [round, setRound] = useState(0);
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
    setState((before) => (isSame ? { ...before, isLoading: true } : { ...before, ...presentOnly(known(key)) }));
    const ask = (): void => {
      askOnce(name, key, pulse, debounceMs > 0 ? abort.signal : undefined).then(
        (data) => {
          if (abort.signal.aborted) return;
          rememberAnswer(`${name} ${key}`, data);
          setState({ data, error: undefined, isLoading: false });
        },
        (error: unknown) => {
          // The session has ended: the page asks for a token once, and for all of this again afterwards.
          if (error instanceof ApiError && error.status === 401) return;
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

/** While something else is asked for, the answer before stays, unless this one is known already. */
function presentOnly<State extends { readonly data: unknown }>(state: State): Partial<State> {
  if (state.data !== undefined) return state;
  const { data: _none, ...others } = state;
  return others as Partial<State>;
}

const NOTHING = { data: undefined, error: undefined, isLoading: false };
