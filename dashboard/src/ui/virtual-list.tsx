import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  /** Every row is as high, so that only those in sight need to be there. */
  readonly rowHeight: number;
  readonly keyOf: (item: Item) => string;
  readonly render: (item: Item) => JSX.Element;
  /** Called when the end comes into sight. */
  readonly onEnd?: (() => void) | undefined;
  /** Kept in sight. */
  readonly current?: number | undefined;
}

/** Rows out of sight, above and below, that are there already: for keys, and for fast scrolling. */
const MARGIN_ROWS = 8;

/** A list of any length: five thousand rows cost as much as fifty. */
export function VirtualList<Item>(props: VirtualListProps<Item>): JSX.Element {
  const { items, label, rowHeight, keyOf, render, onEnd, current } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 900 });
  const measure = (): void => {
    const element = box.current;
    if (element !== null) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useEffect(() => {
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || current === undefined || current < 0) return;
    const top = current * rowHeight;
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top - element.clientHeight / 3;
    }
  }, [current]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - MARGIN_ROWS);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MARGIN_ROWS);
  useEffect(() => {
    if (last >= items.length) onEnd?.();
  }, [last, items.length]);
  return (
    <nav
      class="virtual"
      aria-label={label}
      ref={box}
      onScroll={measure}
      style={{ '--content': `${items.length * rowHeight}px` }}
    >
      <div class="virtual-space" style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(first, last).map((item, index) => (
          <div
            key={keyOf(item)}
            class="virtual-row"
            style={{ height: `${rowHeight}px`, transform: `translateY(${(first + index) * rowHeight}px)` }}
          >
            {render(item)}
          </div>
        ))}
      </div>
    </nav>
  );
}
