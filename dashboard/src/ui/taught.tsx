import type { ComponentChildren, JSX } from 'preact';
import { useQuery } from '../api/query.ts';
import { linkTo } from '../app/route.ts';
import { dayName } from '../app/clock.ts';
import { Loaded } from './parts.tsx';

const MIN_WORD = 4;
const MIN_BEGINNING = 3;
/** Words of a question that stand everywhere: marking them would hide what matches. */
const UNMARKED = new Set(
  'about and are did does for from had has have how into not our that the their they this was were what when where which who why with you your'.split(
    ' ',
  ),
);

/** The turn of a conversation that taught something, with the words that say it marked. */
export function Taught({
  session,
  turn,
  words,
}: {
  readonly session: string;
  readonly turn: string;
  readonly words: string;
}): JSX.Element {
  const query = useQuery('session transcript', { session, around: turn, limit: 1 });
  return (
    <Loaded query={query} lines={2}>
      {({ turns, topic }) => {
        const said = turns.find(({ id }) => id === turn || id.endsWith(`#${turn}`)) ?? turns[0];
        if (said === undefined) return null;
        return (
          <figure class="taught">
            <blockquote dir="auto">
              <Marked text={said.text} words={words} />
            </blockquote>
            <figcaption class="tiny faint">
              {said.name ?? said.role}, {dayName(said.date)} {said.time}, in{' '}
              <a href={linkTo('time/talk', session, { turn })}>{topic}</a>
            </figcaption>
          </figure>
        );
      }}
    </Loaded>
  );
}

/** The words of `text` that `words` says too; words that are being typed also mark what they begin. */
export function Marked({
  text,
  words,
  areBeginnings = false,
}: {
  readonly text: string;
  readonly words: string;
  readonly areBeginnings?: boolean;
}): JSX.Element {
  const least = areBeginnings ? MIN_BEGINNING : MIN_WORD;
  const wanted = new Set(tokens(words).filter((word) => word.length >= least && !UNMARKED.has(word)));
  const isWanted = (piece: string): boolean =>
    wanted.has(piece) || (areBeginnings && [...wanted].some((word) => piece.startsWith(word)));
  const pieces = text
    .split(/([\p{L}\p{N}]+)/u)
    .map((piece, index): ComponentChildren =>
      index % 2 === 1 && isWanted(piece.toLowerCase()) ? <mark key={index}>{piece}</mark> : piece,
    );
  return <>{pieces}</>;
}

function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
