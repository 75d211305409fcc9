import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { showProblem } from '../../../api/act.ts';
import { call, type Output } from '../../../api/call.ts';
import { linkTo } from '../../../app/route.ts';
import type { Scene } from './scene.ts';

type Found = Output<'graph path'>;

/** Shows how two entities are connected. */
export function PathFinder({
  scene,
  onFound,
}: {
  readonly scene: Scene;
  readonly onFound: (paths: readonly string[]) => void;
}): JSX.Element {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [found, setFound] = useState<Found | undefined>(undefined);
  const search = async (): Promise<void> => {
    try {
      const answer = await call('graph path', { from, to });
      setFound(answer);
      onFound(answer.steps === null ? [] : [answer.from.path, ...answer.steps.map((step) => step.to.path)]);
    } catch (error) {
      showProblem(error);
    }
  };
  return (
    <form
      class="row path-finder"
      onSubmit={(event) => {
        event.preventDefault();
        void search();
      }}
    >
      <span class="small soft">How are</span>
      <input
        class="input compact"
        list="entity-names"
        aria-label="One of them"
        placeholder="Anna"
        required
        value={from}
        onInput={(event) => setFrom(event.currentTarget.value)}
      />
      <span class="small soft">and</span>
      <input
        class="input compact"
        list="entity-names"
        aria-label="The other"
        placeholder="Apollo"
        required
        value={to}
        onInput={(event) => setTo(event.currentTarget.value)}
      />
      <button type="submit" class="button small">
        connected?
      </button>
      <datalist id="entity-names">
        {scene.nodes.slice(0, 500).map(({ path, name }) => (
          <option key={path} value={name} />
        ))}
      </datalist>
      <div class="small" aria-live="polite">
        {found === undefined ? '' : <Way found={found} />}
      </div>
    </form>
  );
}

function Way({ found: { from, to, steps } }: { readonly found: Found }): JSX.Element {
  if (steps === null) {
    return (
      <span class="soft">
        Nothing known connects {from.name} and {to.name}.
      </span>
    );
  }
  return (
    <span>
      <a href={linkTo('memory/about', from.id)}>{from.name}</a>
      {steps.map((step) => (
        <span key={step.id}>
          {' '}
          <span class="faint">{step.relation ?? step.written} →</span>{' '}
          <a href={linkTo('memory/about', step.to.id)}>{step.to.name}</a>
        </span>
      ))}
    </span>
  );
}
