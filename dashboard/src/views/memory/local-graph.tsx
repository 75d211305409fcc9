import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { linkTo } from '../../app/route.ts';
import { shorten } from '../../../../src/model/text.ts';

type Relation = Output<'graph show'>['relations'][number];
const SIZE = 420;
const MAX_SHOWN = 14;
const MAX_NAME = 18;

/** Whom or what it is connected with, and how: each edge says its name. */
export function LocalGraph({
  name,
  relations,
}: {
  readonly name: string;
  readonly relations: readonly Relation[];
}): JSX.Element | null {
  const present = relations.filter(({ holds }) => holds);
  if (present.length === 0) return null;
  const shown = present.slice(0, MAX_SHOWN);
  const centre = SIZE / 2;
  return (
    <section class="stack tight" aria-label="Connected with">
      <h2 class="eyebrow">Connected with</h2>
      <svg class="local-graph" viewBox={`0 0 ${SIZE} ${SIZE - 60}`} role="group" aria-label={`Around ${name}`}>
        {shown.map((relation, index) => {
          const angle = (index / shown.length) * 2 * Math.PI - Math.PI / 2;
          const x = centre + Math.cos(angle) * 142;
          const y = centre - 30 + Math.sin(angle) * 132;
          const [mx, my] = [centre + (x - centre) * 0.56, centre - 30 + (y - centre + 30) * 0.56];
          return (
            <g key={relation.id}>
              <line x1={centre} y1={centre - 30} x2={x} y2={y} />
              <text class="edge" x={mx} y={my}>
                {wordsOf(relation)}
              </text>
              <a href={linkTo('memory/about', relation.other.id)}>
                <circle cx={x} cy={y} r="7" class={`type-${relation.other.type}`} />
                <text x={x} y={y + (y < centre - 30 ? -14 : 22)}>
                  {shorten(relation.other.name, MAX_NAME)}
                </text>
              </a>
            </g>
          );
        })}
        <circle cx={centre} cy={centre - 30} r="11" class="centre" />
        <text class="centre-name" x={centre} y={centre - 52}>
          {shorten(name, MAX_NAME)}
        </text>
      </svg>
      {present.length > MAX_SHOWN ? (
        <p class="small">
          {present.slice(MAX_SHOWN).map((relation) => (
            <span key={relation.id}>
              {wordsOf(relation)} <a href={linkTo('memory/about', relation.other.id)}>{relation.other.name}</a>{' '}
            </span>
          ))}
        </p>
      ) : null}
    </section>
  );
}

function wordsOf({ relation, written }: Relation): string {
  return (relation ?? written).replaceAll('-', ' ');
}
