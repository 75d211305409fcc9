import { act } from './act.ts';
import { call, type Input } from './call.ts';
import { keepFromFading } from './pin.ts';

/** A statement that the memory holds, wherever it stands. */
export interface Remembered {
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

/** Archives it; its Undo brings it back. */
export async function forgetIt({ id }: Remembered): Promise<void> {
  await act(
    async () => {
      const { code, kept } = await call('forget', { ids: [id] });
      if (code === null) throw new Error(kept[0]?.reason ?? 'There was nothing to forget.');
      return call('forget confirm', { code });
    },
    ({ mutation }) => ({ text: 'Forgotten.', hint: 'It is in the archive.', mutation }),
  );
}

/** Puts other words in the place of these. */
export async function correctIt({ path, text }: Remembered, words: string): Promise<boolean> {
  const done = await act(
    () => call('edit', { path, replace: text, with: words, summary: `corrected "${words.slice(0, 80)}"` }),
    ({ mutation }) => ({ text: 'Corrected.', mutation }),
  );
  return done !== undefined;
}

export function pinIt({ id, path }: Remembered): Promise<void> {
  return keepFromFading(id, path);
}

const SAID: Readonly<Record<Input<'feedback'>['verdict'], string>> = {
  wrong: 'Marked as wrong: it will not be told again.',
  'not-helpful': 'It will be left out for prompts like this one.',
  always: 'It will be told at the start of every session.',
  clear: 'Taken back.',
};

export async function judge(
  { id }: Pick<Remembered, 'id'>,
  verdict: Input<'feedback'>['verdict'],
  prompt?: string,
): Promise<void> {
  await act(
    () => call('feedback', { id, verdict, ...(prompt === undefined || prompt === '' ? {} : { prompt }) }),
    ({ mutation }) => ({ text: SAID[verdict], mutation }),
  );
}
