import type { JSX } from 'preact';
import { dropToast, toasts } from '../app/toasts.ts';

export function Toasts(): JSX.Element {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, hint, isBad, action }) => (
        <div key={id} class={isBad ? 'toast bad' : 'toast'}>
          <p>
            {text}
            {hint === undefined ? null : <span class="hint"> {hint}</span>}
          </p>
          {action === undefined ? null : (
            <button
              type="button"
              onClick={() => {
                dropToast(id);
                void action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => dropToast(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
