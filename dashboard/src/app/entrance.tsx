import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { enter, enterWith, login, loginProblem } from '../api/session.ts';
import { Mark } from '../ui/icons.tsx';
import { Command } from '../ui/parts.tsx';

/** Shown before somebody is let in; over the page when the session has ended. */
export function Entrance(): JSX.Element {
  return login.value === 'expired' ? (
    <div class="curtain" role="dialog" aria-modal="true" aria-label="The session has ended">
      <Door />
    </div>
  ) : (
    <main class="entrance-page">
      <Door />
    </main>
  );
}

function Door(): JSX.Element {
  const [token, setToken] = useState('');
  const isExpired = login.value === 'expired';
  const isAway = login.value === 'unreachable';
  return (
    <div class="entrance card">
      <Mark />
      {isExpired ? <h2>Your session has ended</h2> : <h1>Mneme</h1>}
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
          <p class="soft">
            {isExpired
              ? 'What you typed is still here. Open the address that this command prints in any tab, and this one goes on by itself:'
              : 'This memory is private. Paste a token, or the address that this command prints:'}
          </p>
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
    </div>
  );
}
