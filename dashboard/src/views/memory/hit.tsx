import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { keepFromFading } from '../../api/pin.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { storeName } from '../../text/names.ts';
import { Markdown } from '../../text/markdown.tsx';
import { Bar, Loaded, Time, Trust, WriteButton, plural } from '../../ui/parts.tsx';

type Hit = Output<'recall'>['hits'][number];

const PARTS = [
  ['semantic', 'Meaning'],
  ['lexical', 'Words'],
  ['temporal', 'Time'],
  ['importance', 'Importance'],
  ['access', 'Use'],
] as const;

export function HitCard({ hit }: { readonly hit: Hit }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <article class="card hit">
      <div class="hit-main">
        <button type="button" class="hit-open" data-list-item aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="hit-text">
            <Highlighted text={hit.snippet} highlights={hit.highlights} />
          </span>
          <span class="row tiny faint">
            <span class="badge">{storeName(hit.store)}</span>
            {hit.speaker === null ? null : <span>{hit.speaker}</span>}
            <Time at={hit.time} />
            <span class="path">
              {hit.path}:{hit.startLine}
            </span>
          </span>
        </button>
        <div class="hit-score" title={hit.why}>
          <span class="strong">{hit.score.toFixed(2)}</span>
          <span
            class="spark"
            role="img"
            aria-label={PARTS.map(([key, name]) => `${name} ${hit.scores[key].toFixed(2)}`).join(', ')}
          >
            {PARTS.map(([key]) => (
              <i key={key} style={{ height: `${Math.max(6, hit.scores[key] * 100)}%` }} />
            ))}
          </span>
        </div>
      </div>
      {isOpen ? <HitDetails hit={hit} /> : null}
    </article>
  );
}

function Highlighted({
  text,
  highlights,
}: {
  readonly text: string;
  readonly highlights: Hit['highlights'];
}): JSX.Element {
  const pieces: ComponentChildren[] = [];
  let at = 0;
  for (const [start, end] of highlights) {
    if (start < at) continue;
    pieces.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  pieces.push(text.slice(at));
  return <>{pieces}</>;
}

function HitDetails({ hit }: { readonly hit: Hit }): JSX.Element {
  const { session, turn } = hit.provenance;
  return (
    <div class="hit-details columns even">
      <div class="stack tight">
        <Markdown text={hit.text} isCompact />
        <div class="row">
          {hit.source === 'workspace' ? (
            <a class="button small" href={linkTo('memory/files', hit.path, { line: String(hit.startLine) })}>
              Open file
            </a>
          ) : null}
          {session === null ? null : (
            <a class="button small" href={linkTo('time/talk', session, { turn: turn ?? undefined })}>
              Where it was said
            </a>
          )}
          <WriteButton kind="small" onClick={() => void keepFromFading(hit.id, hit.path)}>
            Never fade
          </WriteButton>
        </div>
      </div>
      <div class="stack tight">
        <p class="small soft">{hit.why}</p>
        <dl class="bars">
          {PARTS.map(([key, name]) => (
            <>
              <dt key={key}>{name}</dt>
              <dd>
                <Bar share={hit.scores[key]} label={`${name}: ${hit.scores[key].toFixed(2)}`} />
                <span class="value">{hit.scores[key].toFixed(2)}</span>
              </dd>
            </>
          ))}
        </dl>
        <Why id={hit.id} />
      </div>
    </div>
  );
}

/** Where it comes from and what became of it. */
function Why({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('why', { id });
  return (
    <Loaded query={query} lines={3}>
      {(answer) =>
        'remembered' in answer ? (
          <dl class="facts small">
            <dt>Source</dt>
            <dd class="row">
              {answer.remembered.provenance.source} <Trust level={answer.remembered.trust} />
            </dd>
            {answer.remembered.provenance.actor === null ? null : (
              <>
                <dt>Written by</dt>
                <dd>
                  {answer.remembered.provenance.actor}{' '}
                  {answer.remembered.provenance.mutation === null ? null : (
                    <a href={linkTo('time/changes', answer.remembered.provenance.mutation)}>
                      <Time at={answer.remembered.provenance.writtenAt} />
                    </a>
                  )}
                </dd>
              </>
            )}
            <dt>Fading</dt>
            <dd>
              {answer.remembered.fading.keeps ??
                `${answer.remembered.fading.status}, relevance ${answer.remembered.fading.relevance.toFixed(2)}`}
            </dd>
            <dt>Used</dt>
            <dd>
              {plural(answer.remembered.fading.uses, 'time')}
              {answer.remembered.prompted.length === 0
                ? ''
                : `; considered for “${answer.remembered.prompted[0]?.message ?? ''}”`}
            </dd>
          </dl>
        ) : null
      }
    </Loaded>
  );
}
