import { render, type JSX } from 'preact';
import './styles/index.css';
import { enter, login } from './api/session.ts';
import { listenToNetwork } from './api/live.ts';
import { startClock } from './app/clock.ts';
import { Entrance } from './app/entrance.tsx';
import { listenToKeys } from './app/keys.ts';
import { listenToRoute } from './app/route.ts';
import { Shell } from './app/shell.tsx';
import { applyTheme } from './app/theme.ts';

function App(): JSX.Element | null {
  if (login.value === 'checking') return null;
  return login.value === 'in' ? <Shell /> : <Entrance />;
}

applyTheme();
startClock();
await enter();
listenToRoute();
listenToKeys();
listenToNetwork();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
