import { render, type JSX } from 'preact';
import './styles/index.css';
import { enter, listenToRefusals, login, recheck } from './api/session.ts';
import { listenToLeaving } from './api/later.ts';
import { listenToNetwork } from './api/live.ts';
import { startClock } from './app/clock.ts';
import { Entrance } from './app/entrance.tsx';
import { listenToKeys } from './app/keys.ts';
import { listenToRoute, parseRoute } from './app/route.ts';
import { loadView, Shell } from './app/shell.tsx';
import { applyTheme } from './app/theme.ts';
import { askForNow } from './views/now/now.tsx';

function App(): JSX.Element | null {
  if (login.value === 'checking') return null;
  if (login.value === 'in') return <Shell />;
  if (login.value !== 'expired') return <Entrance />;
  return (
    <>
      <Shell />
      <Entrance />
    </>
  );
}

/** An address with a token leads to the first view. */
function firstView(): string {
  const { hash } = window.location;
  return hash.startsWith('#token=') ? 'now' : parseRoute(hash).view;
}

applyTheme();
startClock();
const view = firstView();
const hasToken = window.location.hash.startsWith('#token=');
// A cookie lets in a browser that was here before: then nothing waits for the answer who it is.
if (view === 'now' && !hasToken) askForNow();
// The view travels while the server looks at the token; what cannot be loaded is said when it is shown.
await Promise.allSettled([enter(), loadView(view)]);
if (view === 'now' && hasToken && login.value === 'in') askForNow();
listenToRoute();
listenToKeys();
listenToNetwork(() => void recheck());
listenToRefusals();
listenToLeaving();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
