import { describe, expect, it } from 'vitest';
import { detectTriggers } from './detect.ts';
import { asksPrivacy, findStandingRule } from './privacy.ts';

describe('a request for a private session', () => {
  it.each([
    'This session is private.',
    'this conversation is off the record',
    'Off the record: I am thinking about leaving the company.',
    'off the record',
    'Let’s keep this off the record.',
    'Can we keep this off the record?',
    "Please don't remember this conversation.",
    'Do not save anything from this chat, please.',
    "Don't remember anything I say here.",
    'I want to talk about my boss. This conversation stays private.',
    'Private session please',
    'Diese Sitzung ist privat.',
    'Bitte merk dir nichts aus diesem Gespräch!',
    'Speichere diese Unterhaltung bitte nicht.',
    'Das hier bleibt unter uns.',
    'Das hier bleibt unter  uns.',
    'Ça reste entre  nous.',
    'Esta conversación es privada.',
    'Por favor, no guardes esta conversación.',
    'No recuerdes nada de esta charla.',
    'Cette conversation reste privée.',
    "S'il te plaît, ne retiens rien de cette discussion.",
    'Ne garde pas cette conversation en mémoire.',
  ])('is found in %j', (text) => {
    expect(asksPrivacy(text)).toBe(true);
  });

  it.each([
    'Is this session private?',
    "I don't remember this conversation.",
    'Make it private and rename the method.',
    'This session cookie is private to the user.',
    'Keep this field private.',
    'He told me, off the record, that the deal is dead.',
    'The journalist spoke off the record with two ministers.',
    'Write a test for the sentence "don\'t remember this conversation".',
    'Translate to German: this session is private.',
    '> this session is private\nWhat does he mean?',
    'Dieses Gespräch war gut.',
    'Esta sesión empieza a las nueve.',
    'Cette discussion est longue.',
    'Remember that the private key is in the vault.',
  ])('is not found in %j', (text) => {
    expect(asksPrivacy(text)).toBe(false);
  });
});

describe('a request for a standing rule', () => {
  it.each([
    ["don't learn anything about my divorce", 'my divorce'],
    ['Please never store anything about Ines, thanks.', 'Ines'],
    ['Do not learn about my health.', 'my health'],
    ['Hey, don’t remember anything about my salary please', 'my salary'],
    ['Merk dir bitte nichts über meine Scheidung.', 'meine Scheidung'],
    ['Speichere nichts über Kaspar.', 'Kaspar'],
    ['No guardes nada sobre mi salud.', 'mi salud'],
    ['Ne retiens rien sur mon divorce.', 'mon divorce'],
  ])('is found in %j', (text, subject) => {
    expect(findStandingRule(text)?.subject).toBe(subject);
    expect(detectTriggers(text)).toMatchObject([{ kind: 'ignore', content: subject }]);
  });

  it.each([
    'He says that you never store anything about him.',
    "Don't remember anything about this conversation.",
    "I don't know anything about my divorce lawyer.",
    'Write "don\'t learn anything about cats" into the readme.',
    "Don't learn about it",
    'Ne gardez rien de tout cela.',
  ])('is not found in %j', (text) => {
    expect(findStandingRule(text)).toBeUndefined();
  });
});
