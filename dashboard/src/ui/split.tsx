import type { ComponentChildren, JSX } from 'preact';
import { linkTo } from '../app/route.ts';
import { Icon } from './icons.tsx';

interface SplitProps {
  readonly list: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether the address names one of the list; on a phone it fills the screen then, and the list otherwise. */
  readonly isPicked: boolean;
  /** Where Back leads on a phone. */
  readonly back: string;
  readonly backLabel: string;
}

/** A list, and beside it what was picked. */
export function Split({ list, children, isPicked, back, backLabel }: SplitProps): JSX.Element {
  return (
    <div class="split" data-picked={isPicked}>
      <div class="split-list">{list}</div>
      <div class="split-detail">
        <a class="back" href={linkTo(back)}>
          <Icon name="back" /> {backLabel}
        </a>
        {children}
      </div>
    </div>
  );
}
