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
// The view travels while the server looks at the token; what cannot be loaded is said when it is shown.
const arriving = loadView(firstView());
await Promise.allSettled([enter(), arriving]);
listenToRoute();
listenToKeys();
listenToNetwork(() => void recheck());
listenToRefusals();
listenToLeaving();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
