import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { problemOf } from '../api/act.ts';
import type { Query } from '../api/query.ts';
import { readOnlyReason } from '../api/session.ts';
import { ago, fullTime, now } from '../app/clock.ts';
import { ORIGIN_WORDS, originOf } from '../text/names.ts';
import { Icon, type IconName } from './icons.tsx';

export function Page({
  title,
  lead,
  tools,
  isWide = false,
  children,
}: {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Mneme`;
  }, [title]);
  return (
    <div class={isWide ? 'page wide' : 'page'}>
      <header class="page-head">
        <div>
          <h1 dir="auto">{title}</h1>
          {lead === undefined ? null : <p>{lead}</p>}
        </div>
        {tools === undefined ? null : <div class="row">{tools}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({
  title,
  note,
  tools,
  children,
}: {
  readonly title?: string;
  readonly note?: ComponentChildren;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card" aria-label={title}>
      {title === undefined ? null : (
        <div class="card-head">
          <h2>{title}</h2>
          {note === undefined ? null : <span class="note">{note}</span>}
          {tools}
        </div>
      )}
      <div class="card-body">{children}</div>
    </section>
  );
}

export function Empty({
  icon,
  title,
  children,
  isSmall = false,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly isSmall?: boolean;
}): JSX.Element {
  return (
    <div class={isSmall ? 'empty small' : 'empty'}>
      <Icon name={icon} />
      {isSmall ? <h3>{title}</h3> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

export function Command({ children }: { readonly children: string }): JSX.Element {
  return <code class="command">{children}</code>;
}

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }): JSX.Element {
  const { message, hint } = problemOf(error);
  return (
    <div class="problem" role="alert">
      <strong>{message}</strong>
      {hint === undefined ? null : <p>{hint}</p>}
      {retry === undefined ? null : (
        <button type="button" class="button small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Skeleton({ lines = 4 }: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}

/** Shows the requested result, or the state of the request. */
export function Loaded<Result>({
  query,
  lines,
  children,
}: {
  readonly query: Query<Result>;
  readonly lines?: number;
  readonly children: (data: Result) => ComponentChildren;
}): JSX.Element {
  const { data, error, reload } = query;
  return (
    <>
      {error === undefined ? null : <Problem error={error} retry={reload} />}
      {data === undefined ? error === undefined ? <Skeleton lines={lines ?? 4} /> : null : children(data)}
    </>
  );
}

/** Shown once all of it is there: cards that fill one after the other would push each other about. */
export function Together({
  queries,
  children,
}: {
  readonly queries: readonly Query<unknown>[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const isReady = queries.every(({ data, error }) => data !== undefined || error !== undefined);
  return <>{isReady ? children : <Skeleton lines={12} />}</>;
}

export function Time({ at }: { readonly at: string | number | null | undefined }): JSX.Element | null {
  if (at === null || at === undefined) return null;
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={time.toISOString()} title={fullTime(time)}>
      {ago(time, now.value)}
    </time>
  );
}

export function Bar({
  share,
  label,
  isOver = false,
}: {
  readonly share: number;
  readonly label: string;
  readonly isOver?: boolean;
}): JSX.Element {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return (
    <div
      class={isOver ? 'meter over' : 'meter'}
      role="meter"
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-label={label}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

/** A button that changes something: without the right to, it says why it does nothing. */
export function WriteButton({
  children,
  kind = '',
  isBusy = false,
  hotkey,
  onClick,
}: {
  readonly children: ComponentChildren;
  readonly kind?: string;
  readonly isBusy?: boolean;
  /** The key that presses it, outside of fields. */
  readonly hotkey?: string;
  readonly onClick: () => void;
}): JSX.Element {
  const reason = readOnlyReason.value;
  return (
    <button
      type="button"
      class={`button ${kind}`}
      disabled={isBusy || reason !== undefined}
      title={reason}
      data-key={hotkey}
      onClick={onClick}
    >
      {children}
      {hotkey === undefined ? null : <kbd aria-hidden="true">{hotkey}</kbd>}
    </button>
  );
}

export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} aria-label={title} onClose={onClose}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={() => box.current?.close()}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

export function Trust({ level }: { readonly level: string }): JSX.Element {
  const origin = originOf(level);
  return <span class={`origin-mark ${origin}`}>{ORIGIN_WORDS[origin]}</span>;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
