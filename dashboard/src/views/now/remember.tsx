import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call } from '../../api/call.ts';
import { readOnlyReason } from '../../api/session.ts';
import { useDraft } from '../../app/drafts.ts';
import { Card, WriteButton } from '../../ui/parts.tsx';

export function RememberBox(): JSX.Element | null {
  const [text, setText, drop] = useDraft('remember');
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (text.trim() === '') return;
    setBusy(true);
    const done = await act(
      () => call('remember', { text }),
      (result) => ({ text: 'Remembered.', hint: result.warnings[0], mutation: result.mutation }),
    );
    setBusy(false);
    if (done !== undefined) drop();
  };
  if (readOnlyReason.value !== undefined) return null;
  return (
    <Card title="Remember something">
      <form
        class="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <textarea
          class="input"
          rows={2}
          aria-label="What to remember"
          placeholder="Anna prefers short answers"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
        <div class="row apart">
          <span class="tiny faint">Filed automatically.</span>
          <WriteButton kind="primary small" isBusy={isBusy || text.trim() === ''} onClick={() => void save()}>
            Remember
          </WriteButton>
        </div>
      </form>
    </Card>
  );
}
