import type { JSX } from 'preact';
import { showProblem } from '../api/act.ts';
import { leave } from '../api/session.ts';
import { Dialog } from '../ui/parts.tsx';
import { isHelpOpen, PLACES } from './keys.ts';

export function Help(): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      <dl class="facts">
        {PLACES.map(({ place, key, label }) => (
          <>
            <dt key={place}>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </>
        ))}
        <dt>
          <kbd>Ctrl</kbd> <kbd>k</kbd>
        </dt>
        <dd>Go to anything: a place, a person, a memory</dd>
        <dt>
          <kbd>/</kbd>
        </dt>
        <dd>Search</dd>
        <dt>
          <kbd>j</kbd> <kbd>k</kbd>
        </dt>
        <dd>Next and previous in a list; Enter opens</dd>
        <dt>
          <kbd>a</kbd> <kbd>e</kbd> <kbd>r</kbd> <kbd>s</kbd>
        </dt>
        <dd>In the inbox: approve, edit, reject, later</dd>
        <dt>
          <kbd>z</kbd>
        </dt>
        <dd>Undo what was just done</dd>
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
