import { describe, expect, it } from 'vitest';
import { subjectOf } from './find.ts';

describe('what is to be forgotten', () => {
  it.each([
    ['the Berlin office', 'the Berlin office'],
    ['about the Berlin office', 'the Berlin office'],
    ['everything I told you about Anna', 'Anna'],
    ['what I said about the surgery', 'the surgery'],
    ['that I ever mentioned the loan', 'the loan'],
    ['Forget what you know about my salary', 'my salary'],
    ['alles, was ich dir über Anna gesagt habe', 'Anna gesagt habe'],
    ['todo lo que te dije sobre Marta', 'Marta'],
    ["tout ce que je t'ai dit sur Paul", 'Paul'],
    ['"my landlord"', 'my landlord'],
    ['„mein Vermieter“', 'mein Vermieter'],
    ['todo list', 'todo list'],
    ['all', 'all'],
    ['about', 'about'],
    ['  two\n words ', 'two words'],
    ['', ''],
  ])('%j is about %j', (text, subject) => {
    expect(subjectOf(text)).toBe(subject);
  });
});
