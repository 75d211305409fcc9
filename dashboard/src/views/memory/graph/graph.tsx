import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import { pulses } from '../../../api/live.ts';
import { go, knownOn, linkTo } from '../../../app/route.ts';
import { Card, Command, Empty, Page as PageFrame, plural, Problem, Skeleton } from '../../../ui/parts.tsx';
import { GraphCanvas } from './canvas.tsx';
import { PathFinder } from './path-finder.tsx';
import { MAX_SINGLE, makeScene, type Page, type Scene } from './scene.ts';

/** More are not told apart in a picture; the list has all that were loaded. */
const MAX_NODES = 5000;
const PAGE = 2500;

/** Everything at once; each of them leads to its own page. */
export function Graph(): JSX.Element {
  const { loaded, error } = useGraph(knownOn.value);
  const [way, setWay] = useState<readonly string[]>([]);
  const scene = useMemo(
    () => (loaded === undefined ? undefined : makeScene(loaded.entities, loaded.relations)),
    [loaded],
  );
  const select = (path: string | undefined): void => {
    if (path !== undefined && scene !== undefined) go(linkTo('memory/about', idOf(scene, path)));
  };
  return (
    <PageFrame title="Graph" isWide lead="People, projects and things, and how they are connected.">
      {error === undefined ? null : <Problem error={error} />}
      {scene === undefined ? (
        error === undefined ? (
          <Skeleton lines={8} />
        ) : null
      ) : scene.nodes.length === 0 ? (
        <NoGraph />
      ) : (
        <>
          <PathFinder scene={scene} onFound={setWay} />
          <Drawing scene={scene} total={loaded?.total ?? 0} selected={undefined} way={way} onSelect={select} />
        </>
      )}
    </PageFrame>
  );
}

function Drawing({
  scene,
  total,
  selected,
  way,
  onSelect,
}: {
  readonly scene: Scene;
  readonly total: number;
  readonly selected: string | undefined;
  readonly way: readonly string[];
  readonly onSelect: (path: string | undefined) => void;
}): JSX.Element {
  return (
    <div class="card graph-card">
      <GraphCanvas scene={scene} selected={selected} near={way} onSelect={onSelect} />
      <div class="graph-legend tiny soft">
        {scene.types.slice(0, 8).map(({ type, members }, index) => (
          <span key={type} class={`legend-${index}`}>
            {type} {members.length.toLocaleString('en')}
          </span>
        ))}
        <span class="plain">
          {total > scene.nodes.length
            ? `the ${scene.nodes.length.toLocaleString('en')} best connected of ${total.toLocaleString('en')}`
            : plural(scene.links.length / 2, 'relation')}
          {scene.nodes.length > MAX_SINGLE ? ' · click a group to see who is in it, Esc to see all' : ''}
        </span>
      </div>
    </div>
  );
}

function NoGraph(): JSX.Element {
  return (
    <Card>
      <Empty icon="graph" title="Nobody is known yet">
        <p>People and things come from conversations by themselves. You can also begin with one:</p>
        <Command>mneme graph add Anna --type person</Command>
      </Empty>
    </Card>
  );
}

interface LoadedGraph {
  readonly entities: Page['entities'];
  readonly relations: Page['relations'];
  readonly total: number;
}

/** Page after page; shown once, complete: a picture that is laid out anew with every page could not be read. */
function useGraph(at: string): { readonly loaded: LoadedGraph | undefined; readonly error: unknown } {
  const [state, setState] = useState<{ loaded: LoadedGraph | undefined; error: unknown }>({
    loaded: undefined,
    error: undefined,
  });
  const round = useGraphRound();
  useEffect(() => {
    const abort = new AbortController();
    loadGraph(at, abort.signal).then(
      (loaded) => setState((before) => (isSameGraph(before.loaded, loaded) ? before : { loaded, error: undefined })),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error }));
      },
    );
    return () => abort.abort();
  }, [at, round]);
  return state;
}

/** Most changes of the memory do not touch the graph; laying it out again for them would be restless. */
function isSameGraph(before: LoadedGraph | undefined, after: LoadedGraph): boolean {
  if (
    before === undefined ||
    before.entities.length !== after.entities.length ||
    before.relations.length !== after.relations.length
  )
    return false;
  return JSON.stringify(before) === JSON.stringify(after);
}

const SETTLE_MS = 2000;

function useGraphRound(): number {
  const pulse = pulses.mutation.value;
  const [round, setRound] = useState(pulse);
  useEffect(() => {
    const timer = window.setTimeout(() => setRound(pulse), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [pulse]);
  return round;
}

async function loadGraph(at: string, signal: AbortSignal): Promise<LoadedGraph> {
  const entities: Page['entities'][number][] = [];
  const relations: Page['relations'][number][] = [];
  let after: number | null = 0;
  let total = 0;
  while (after !== null && entities.length < MAX_NODES) {
    const page: Page = await call('graph page', { after, limit: PAGE, ...(at === '' ? {} : { knownAt: at }) }, signal);
    entities.push(...page.entities);
    relations.push(...page.relations);
    ({ total } = page);
    after = page.next;
  }
  return { entities, relations, total };
}

/** As the API names it. */
function idOf({ nodes, numbers }: Scene, path: string): string {
  return nodes[numbers.get(path) ?? -1]?.id ?? path;
}
