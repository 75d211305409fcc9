import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../../api/call.ts';
import { useQuery } from '../../../api/query.ts';
import { linkTo } from '../../../app/route.ts';
import { Card, Problem } from '../../../ui/parts.tsx';

type Tested = Output<'topics test'>;

const DEBOUNCE_MS = 250;
/** The scale of tier 2 ends here for the eye: what is surer than this is sure. */
const FULL_SCORE = 0.6;

export function TryMessage(): JSX.Element {
  const [message, setMessage] = useState('');
  const query = useQuery('topics test', message.trim() === '' ? undefined : { message }, { debounceMs: DEBOUNCE_MS });
  return (
    <Card title="Try a message" note="Leaves no trace">
      <div class="stack tight">
        <textarea
          class="input"
          rows={2}
          aria-label="A message to try"
          placeholder="Please deploy the new version tonight"
          data-search-field
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        <div aria-live="polite">
          {query.error === undefined ? null : <Problem error={query.error} retry={query.reload} />}
          {query.data === undefined || message.trim() === '' ? null : <Verdicts tested={query.data} />}
        </div>
      </div>
    </Card>
  );
}

function Verdicts({ tested: { fires, topics, notes } }: { readonly tested: Tested }): JSX.Element {
  return (
    <div class="stack tight">
      <p>{fires.length === 0 ? 'No topic would come.' : `${fires.join(', ')} would come.`}</p>
      {notes.map((note) => (
        <p key={note} class="notice">
          {note}
        </p>
      ))}
      <ul class="rows">
        {topics.map((topic) => (
          <li key={topic.path}>
            <div class="row">
              <span class={topic.isActive ? 'badge good' : 'badge'}>{topic.isActive ? 'comes' : 'stays away'}</span>
              <a class="strong" href={linkTo('memory/playbooks', topic.name)}>
                {topic.name}
              </a>
              <span class="score-line" title={`score ${topic.tier2.score.toFixed(2)}`}>
                <i style={{ width: `${Math.min(1, topic.tier2.score / FULL_SCORE) * 100}%` }} />
              </span>
              <span class="tiny faint">{topic.tier2.score.toFixed(2)}</span>
            </div>
            <div class="small soft">
              {topic.reason}
              {topic.tier1.length === 0 ? '' : ` Found: ${topic.tier1.map(({ found }) => `“${found}”`).join(', ')}.`}
            </div>
            {topic.corrections.map((correction) => (
              <p key={correction} class="notice">
                {correction}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
