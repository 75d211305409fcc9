import { computed, signal } from '@preact/signals';

/** Where the page is: `#/history/compare?from=yesterday` is view `history`, rest `compare`, and one parameter. */
export interface Route {
  readonly view: string;
  readonly rest: string;
  readonly query: URLSearchParams;
}

const hash = signal(window.location.hash);

export const route = computed<Route>(() => parseRoute(hash.value));

export function parseRoute(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#?\/?/u, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  return { view: view || 'today', rest: safeDecode(rest.join('/')), query: new URLSearchParams(query) };
}

/** A link somebody shortened may end in the middle of an escape; what stands there is then shown as it is. */
export function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

export function linkTo(view: string, rest = '', query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const path = rest
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return `#/${view}${path === '' ? '' : `/${path}`}${search}`;
}

export function go(link: string): void {
  window.location.hash = link;
}

/** Changes the address without a new step in the browser's history: for what is typed. */
export function replaceRoute(link: string): void {
  window.history.replaceState(null, '', link);
  hash.value = link;
}

export function listenToRoute(): void {
  window.addEventListener('hashchange', () => {
    hash.value = window.location.hash;
  });
  hash.value = window.location.hash;
}
