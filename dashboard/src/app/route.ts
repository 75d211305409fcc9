import { computed, signal } from '@preact/signals';
import { decodePercents } from '../../../src/model/text.ts';

/**
 * Where the page is. `#/time/changes/01J…?path=MEMORY.md` is place `time`, view `time/changes`, rest `01J…` and one parameter.
 * Everything that can be looked at has such an address, so that reload, back and a second tab lead to the same thing.
 */
export interface Route {
  readonly place: Place;
  readonly view: string;
  readonly rest: string;
  readonly query: URLSearchParams;
}

/** The places, and what stands under each by a name of its own. */
const SECTIONS = {
  now: [],
  inbox: [],
  memory: ['item', 'about', 'people', 'graph', 'playbooks', 'procedures', 'fading', 'files'],
  time: ['talk', 'changes', 'compare'],
  system: ['work', 'control', 'settings'],
} as const;
export type Place = keyof typeof SECTIONS;

const hash = signal(window.location.hash);

export const route = computed<Route>(() => parseRoute(hash.value));

/** The day whose knowledge is shown, such as 2026-06-01; '' for what is known now. Part of every address. */
export const knownOn = computed(() => {
  const day = route.value.query.get('known') ?? '';
  return /^\d{4}-\d{2}-\d{2}$/u.test(day) ? day : '';
});

export function parseRoute(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#?\/?/u, '').split('?', 2);
  const [first = '', second = '', ...others] = path.split('/');
  const place = isPlace(first) ? first : 'now';
  const hasSection = (SECTIONS[place] as readonly string[]).includes(second);
  const rest = (hasSection ? others : [second, ...others]).join('/');
  return {
    place,
    view: hasSection ? `${place}/${second}` : place,
    rest: decodePercents(isPlace(first) ? rest : ''),
    query: new URLSearchParams(query),
  };
}

/** Whether an address of this kind leads somewhere. */
export function isView(view: string): boolean {
  const [place = '', section] = view.split('/');
  return isPlace(place) && (section === undefined || (SECTIONS[place] as readonly string[]).includes(section));
}

function isPlace(text: string): text is Place {
  return Object.hasOwn(SECTIONS, text);
}

export function linkTo(view: string, rest = '', query: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { known: knownOn.value, ...query };
  const given = Object.entries(all).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
  const path = rest
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return `#/${view}${path === '' ? '' : `/${path}`}${search}`;
}

/** The same view with other parameters. */
export function linkHere(changes: Readonly<Record<string, string | undefined>>): string {
  const { view, rest, query } = route.value;
  return linkTo(view, rest, { ...Object.fromEntries(query), ...changes });
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
