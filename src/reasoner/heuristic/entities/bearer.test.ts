import { expect, it } from 'vitest';
import { bearerBeside, foldBearer } from './bearer.ts';

it.each<[names: string[], statement: string, attribute: string, bearer: string | undefined]>([
  [['Ines'], 'The berth-board database listens on port 9229.', 'port', 'berth board database'],
  [['Ines'], 'Redis listens on port 6379.', 'port', 'redis'],
  [['Ines'], "Ines's address is Talweg 7.", 'address', undefined],
  [['Ines'], "The user's address is Talweg 7.", 'address', undefined],
  [['Marta Silva'], "Marta's address is 5 Elm Street.", 'address', undefined],
  [['Anna'], "Ines's sister Anna's address is 4 Oak Lane.", 'address', undefined],
  [['crane-api'], 'The service listens on port 4100.', 'port', undefined],
  [['Ines'], 'Anna lives in Porto.', 'residence', undefined],
  [['Ines'], 'Redis listens on port 6379.', 'version', undefined],
])('on the page of %j, "%s" gives the %s of %j', (names, statement, attribute, bearer) => {
  expect(bearerBeside(names, statement, attribute)).toBe(bearer);
});

it('keeps apart what only begins alike', () => {
  expect(foldBearer('New York')).not.toBe(foldBearer('York'));
  expect(foldBearer('The staging server')).toBe(foldBearer('our Staging server'));
});
