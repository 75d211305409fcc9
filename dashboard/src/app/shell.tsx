import type { ComponentType, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { signal } from '@preact/signals';
import { showProblem } from '../api/act.ts';
import { heldIds } from '../api/later.ts';
import { connect, connection, pulseAll, type Connection } from '../api/live.ts';
import { useQuery } from '../api/query.ts';
import { me, readOnlyReason } from '../api/session.ts';
import { Icon, Mark, type IconName } from '../ui/icons.tsx';
import { Problem, Skeleton } from '../ui/parts.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Help } from './help.tsx';
import { isHelpOpen, VIEWS } from './keys.ts';
import { linkTo, route } from './route.ts';
import { nextTheme, theme } from './theme.ts';

type View = ComponentType;
const LOADERS: Readonly<Record<string, () => Promise<View>>> = {
  today: async () => (await import('../views/today/today.tsx')).Today,
  approvals: async () => (await import('../views/approvals/approvals.tsx')).Approvals,
  search: async () => (await import('../views/search/search.tsx')).Search,
  history: async () => (await import('../views/history/history.tsx')).History,
  timeline: async () => (await import('../views/timeline/timeline.tsx')).TimelineView,
  files: async () => (await import('../views/files/files.tsx')).Files,
  graph: async () => (await import('../views/graph/graph.tsx')).Graph,
  topics: async () => (await import('../views/topics/topics.tsx')).Topics,
  health: async () => (await import('../views/health/health.tsx')).Health,
};

const isMenuOpen = signal(false);

export function Shell(): JSX.Element {
  const { view } = route.value;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    isMenuOpen.value = false;
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // Who uses a screen reader should be where the new view begins.
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [view]);
  return (
    <>
      <a class="skip-link" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <div class="shell">
        <TopBar />
        <Sidebar view={view} />
        {isMenuOpen.value ? (
          <button type="button" class="scrim" aria-label="Close menu" onClick={() => (isMenuOpen.value = false)} />
        ) : null}
        <main id="main" class="main" ref={main} tabIndex={-1}>
          <Banner />
          <CurrentView view={view} />
        </main>
      </div>
      <Toasts />
      {isHelpOpen.value ? <Help /> : null}
    </>
  );
}

/** The address says where the page is; a jump inside it must not change that. */
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

function TopBar(): JSX.Element {
  return (
    <div class="topbar" role="region" aria-label="Top bar">
      <button
        type="button"
        class="button quiet icon"
        aria-label="Menu"
        aria-expanded={isMenuOpen.value}
        aria-controls="sidebar"
        onClick={() => (isMenuOpen.value = !isMenuOpen.value)}
      >
        <Icon name="menu" />
      </button>
      <a class="brand" href={linkTo('today')}>
        <Mark /> Mneme
      </a>
      <ConnectionState />
      <a class="button quiet icon" href={linkTo('search')} aria-label="Search">
        <Icon name="search" />
      </a>
    </div>
  );
}

function Sidebar({ view }: { readonly view: string }): JSX.Element {
  const proposals = useQuery('proposals list', {}, { on: ['proposal'] });
  const alerts = useQuery('audit alerts', {}, { on: ['alert', 'mutation'] });
  const waiting = proposals.data?.proposals.filter(({ id }) => !heldIds.value.has(id)).length ?? 0;
  const unanswered = (alerts.data?.alerts.length ?? 0) + (alerts.data?.externalEdits.length ?? 0);
  const counts: Readonly<Record<string, number>> = { approvals: waiting, history: unanswered };
  return (
    <header class="sidebar" id="sidebar" data-open={isMenuOpen.value}>
      <a class="brand" href={linkTo('today')}>
        <Mark /> Mneme
      </a>
      <nav class="nav" aria-label="Views">
        {VIEWS.map(({ view: name, label, key }) => (
          <a key={name} href={linkTo(name)} aria-current={name === view ? 'page' : undefined} title={`g then ${key}`}>
            <Icon name={name satisfies IconName} />
            {label}
            {(counts[name] ?? 0) > 0 ? (
              <span class="count">
                {counts[name]}
                <span class="visually-hidden"> waiting</span>
              </span>
            ) : null}
          </a>
        ))}
      </nav>
      <SidebarFoot />
    </header>
  );
}

function SidebarFoot(): JSX.Element {
  const icons = { system: 'system', light: 'sun', dark: 'moon' } as const;
  return (
    <div class="sidebar-foot">
      <ConnectionState />
      <div class="home-path" title={me.value?.home ?? undefined}>
        {me.value?.home}
      </div>
      <div class="sidebar-tools">
        <button type="button" class="button quiet small" onClick={nextTheme} title="Change the colours">
          <Icon name={icons[theme.value]} />
          <span>{theme.value === 'system' ? 'As the system' : theme.value === 'light' ? 'Light' : 'Dark'}</span>
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => (isHelpOpen.value = true)}
          title="Keyboard shortcuts (?)"
        >
          <Icon name="help" />
          <span>Keys</span>
        </button>
      </div>
    </div>
  );
}

const STATES: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

function ConnectionState(): JSX.Element {
  return (
    <div class="connection" data-state={connection.value}>
      <span>{STATES[connection.value]}</span>
    </div>
  );
}

function Banner(): JSX.Element {
  const state = connection.value;
  const reason = readOnlyReason.value;
  return (
    <>
      <div aria-live="polite" class="visually-hidden">
        {state === 'offline' || state === 'reconnecting' ? 'The connection to Mneme is lost. Trying again.' : ''}
      </div>
      {state === 'offline' ? (
        <div class="banner">
          <strong>Offline.</strong> What you see may be out of date; your edits are kept on this page. If Mneme was
          stopped, start it with <code>mneme dashboard</code>.
          <button type="button" class="button small" onClick={retryNow}>
            Try now
          </button>
        </div>
      ) : null}
      {reason === undefined ? null : (
        <div class="banner">
          <strong>Read only.</strong> {reason}
        </div>
      )}
    </>
  );
}

function retryNow(): void {
  connect();
  pulseAll();
}

/** A view that was loaded once is there at once. */
const known = new Map<string, View>();

export async function loadView(view: string): Promise<void> {
  const load = LOADERS[view];
  if (load !== undefined && !known.has(view)) known.set(view, await load());
}

/** While nothing else is to be done: then every view opens without waiting, also when the server has gone. */
function loadOthers(): void {
  const later = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000));
  later(() => {
    // Whoever opens a view that could not be loaded is told then.
    Promise.allSettled(Object.keys(LOADERS).map(loadView)).catch(showProblem);
  });
}

function CurrentView({ view: asked }: { readonly view: string }): JSX.Element {
  const view = asked in LOADERS ? asked : 'today';
  const [error, setError] = useState<unknown>(undefined);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setError(undefined);
    loadView(view).then(() => {
      setRound((before) => before + 1);
      loadOthers();
    }, setError);
  }, [view]);
  // Never the view before in its place: it would read the address of this one.
  const Component = known.get(view);
  if (Component !== undefined) return <Component key={view} />;
  if (error === undefined) return <Skeleton lines={6} />;
  return <Problem error={error} retry={() => window.location.reload()} key={round} />;
}
