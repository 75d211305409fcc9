import type { JSX } from 'preact';
import { showProblem } from '../api/act.ts';
import { leave } from '../api/session.ts';
import { Dialog } from '../ui/parts.tsx';
import { isHelpOpen, VIEWS } from './keys.ts';

export function Help(): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      <dl class="facts">
        {VIEWS.map(({ view, key, label }) => (
          <>
            <dt key={view}>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </>
        ))}
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>Next and previous in a list; Enter opens</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>s</kbd>
        </dt>
        <dd>Save, in an editor</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close what is open</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>This list</dd>
      </dl>
      <div class="dialog-foot">
        <button type="button" class="button small" onClick={() => void leave().catch(showProblem)}>
          Log out
        </button>
      </div>
    </Dialog>
  );
}
