import { expect, it } from 'vitest';
import { isUsedIn } from './reinforce.ts';

const WALNUTS = 'Alex is allergic to walnuts';

it.each([
  [WALNUTS, 'Leave out the walnuts: Alex is allergic to them.', 'Which cake for Alex?', true],
  [WALNUTS, 'A lemon cake is always good.', 'Which cake for Alex?', false],
  // The words were the user's own; whether anything was remembered cannot be told.
  [WALNUTS, 'Yes, Alex is allergic to walnuts.', 'Alex is allergic to walnuts, right?', false],
  ['The geocoder allows 250 requests a minute', 'Alex called.', 'Who called?', false],
  ['Lea', 'Ask Lea.', 'Whom do I ask?', true],
  ['', 'Anything', '', false],
])('%j in %j after %j: %s', (memory, reply, said, isUsed) => {
  expect(isUsedIn(memory, reply, said)).toBe(isUsed);
});
