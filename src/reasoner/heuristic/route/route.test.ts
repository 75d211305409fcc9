import { describe, expect, it } from 'vitest';
import type { Route } from '../../port.ts';
import { route } from './route.ts';

async function propertyOf(text: string, user: string | undefined = 'Ada'): Promise<Route['property']> {
  return (await route({ text, user, timeMs: Date.UTC(2026, 2, 2, 8), timeZone: 'Europe/Berlin' })).property;
}

describe('the property of a message', () => {
  it.each([
    ['I live in Berlin now', 'residence', 'Berlin'],
    ['I moved to Berlin', 'residence', 'Berlin'],
    ['I moved to Berlin last weekend', 'residence', 'Berlin'],
    ['I live in New York and work at Acme', 'residence', 'New York'],
    ['Ich wohne in Berlin', 'residence', 'Berlin'],
    ['ich bin nach Hamburg umgezogen', 'residence', 'Hamburg'],
    ['vivo en Madrid desde 2020', 'residence', 'Madrid'],
    ["j'habite à Lyon maintenant", 'residence', 'Lyon'],
    ['my email is ada@example.org', 'email', 'ada@example.org'],
    ['remember that my phone number is +49 40 1234567', 'phone', '+49 40 1234567'],
    ['I work at Tidewater Maps', 'employer', 'Tidewater Maps'],
  ])('"%s" is the user’s %s', async (text, attribute, value) => {
    expect(await propertyOf(text)).toEqual({
      subject: { name: 'Ada', type: 'person', isUser: true },
      attribute,
      value,
    });
  });

  it('is the user’s when their name is not known', async () => {
    expect(await propertyOf('I moved to Berlin', undefined)).toMatchObject({
      subject: { isUser: true },
      value: 'Berlin',
    });
  });

  it('may be somebody else’s', async () => {
    expect(await propertyOf('Vera lives in Graz since 2019')).toMatchObject({
      subject: { name: 'Vera', type: 'person' },
      value: 'Graz',
    });
  });

  it.each(['we moved to postgres', 'the sessions moved to Redis', 'he lives in Graz', 'I like Berlin'])(
    '"%s" gives none',
    async (text) => {
      expect(await propertyOf(text)).toBeUndefined();
    },
  );
});

describe('the kind of a message', () => {
  it.each([
    ["My wife's name is Ana.", 'person'],
    ["I'm allergic to peanuts.", 'person'],
    ['We decided to use Postgres.', 'decision'],
  ])('is what it plainly says: %s', async (text, kind) => {
    const routed = await route({ text, user: 'Ada', timeMs: Date.UTC(2026, 2, 2, 8), timeZone: 'Europe/Berlin' });
    expect(routed.kind).toBe(kind);
  });
});
