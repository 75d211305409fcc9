import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { enter, enterWith, login, loginProblem } from '../api/session.ts';
import { Mark } from '../ui/icons.tsx';
import { Command } from '../ui/parts.tsx';

/** Shown before somebody is let in. */
export function Entrance(): JSX.Element {
  const [token, setToken] = useState('');
  const isAway = login.value === 'unreachable';
  return (
    <main class="entrance card">
      <Mark />
      <h1>Mneme</h1>
      {isAway ? (
        <>
          <p class="soft">Mneme does not answer at this address. {loginProblem.value}</p>
          <p class="soft small">If it was stopped, start it again:</p>
          <Command>mneme dashboard</Command>
          <button type="button" class="button primary" onClick={() => void enter()}>
            Try again
          </button>
        </>
      ) : (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void enterWith(token);
          }}
        >
          <p class="soft">This memory is private. Paste a token, or the address that this command prints:</p>
          <Command>mneme dashboard --no-open</Command>
          <label class="field">
            Token
            <input
              class="input"
              type="password"
              autocomplete="off"
              required
              value={token}
              onInput={(event) => setToken(event.currentTarget.value)}
            />
          </label>
          {token !== '' && loginProblem.value !== undefined ? (
            <p class="problem" role="alert">
              {loginProblem.value}
            </p>
          ) : null}
          <button type="submit" class="button primary">
            Open
          </button>
        </form>
      )}
    </main>
  );
}
