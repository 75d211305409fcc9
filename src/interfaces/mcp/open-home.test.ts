import { describe, expect, it } from 'vitest';
import { concealPlaces, type Places } from './open-home.ts';

const PLACES: Places = { home: '/srv/lea/.mneme', workspace: '/srv/lea/.mneme/workspace', userHome: '/srv/lea' };

describe('concealPlaces', () => {
  it.each([
    ['"/srv/lea/.mneme/workspace/memory/x.md" is a link', '"memory/x.md" is a link'],
    ['/srv/lea/.mneme/state/lock.db cannot be written', 'state/lock.db cannot be written'],
    ['Permission was denied: the home /srv/lea/.mneme (EACCES).', 'Permission was denied: the home (EACCES).'],
    ['/srv/lea/.mneme is not a Mneme home.', 'the home is not a Mneme home.'],
    ['/srv/lea/models/x cannot be read', '~/models/x cannot be read'],
    ['/srv/lea/.mneme-2 is another, /srv/leander too', '~/.mneme-2 is another, /srv/leander too'],
    ['There is no nothing.md in the workspace.', 'There is no nothing.md in the workspace.'],
  ])('tells %j as %j', (message, told) => {
    expect(concealPlaces(message, PLACES)).toBe(told);
  });

  it('leaves nothing of a home whose path was cut short in the message', () => {
    const home = `/srv/${'deep/'.repeat(30)}home`;
    const told = concealPlaces(`"${home.slice(0, 119)}…" is a link`, {
      home,
      workspace: undefined,
      userHome: undefined,
    });
    expect(told).toBe('"…" is a link');
  });

  it('does not take the root for a place', () => {
    expect(concealPlaces('a / b /c', { home: '/', workspace: undefined, userHome: '/' })).toBe('a / b /c');
  });
});
