import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call } from '../../api/call.ts';
import { readOnlyReason } from '../../api/session.ts';
import { useDraft } from '../../app/drafts.ts';
import { WriteButton } from '../../ui/parts.tsx';

export function RememberBox(): JSX.Element | null {
  const [text, setText, drop] = useDraft('remember');
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (text.trim() === '' || isBusy) return;
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
    <form
      class="remember"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        class="input"
        rows={text === '' ? 1 : 3}
        aria-label="What to remember"
        placeholder="Tell it something to remember"
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      {text.trim() === '' ? null : (
        <WriteButton kind="primary small" isBusy={isBusy} onClick={() => void save()}>
          Remember
        </WriteButton>
      )}
    </form>
  );
}
