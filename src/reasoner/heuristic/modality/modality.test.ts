import { franc } from 'franc-min';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../testing/table.ts';
import { utterancesOf } from '../clauses/utterance.ts';
import { judgeModality, type Modality } from './modality.ts';

function flagsOf(text: string): string[] {
  const [turn] = conversationOf([text]).turns;
  const [utterance] = turn === undefined ? [] : utterancesOf(turn, 0, franc);
  if (utterance === undefined) return [];
  const modality = judgeModality(utterance);
  return (Object.keys(modality) as (keyof Modality)[]).filter((name) => modality[name]);
}

describe('modality', () => {
  it.each([
    ['should we use kafka?', 'isQuestion'],
    ['what is the port', 'isQuestion'],
    ['if we used kafka we would have replay', 'isHypothetical'],
    ['imagine we had a roof', 'isHypothetical'],
    ['we could move it to redis', 'isHypothetical'],
    ['maybe tiers are better', 'isHedged'],
    ['i think it starts at nine', 'isHedged'],
    ['great, i love being paged at 3 in the morning', 'isIronic'],
    ['lovely, another outage, living the dream', 'isIronic'],
    ['jonas said the tiles are fine', 'isReported'],
    ['according to the vendor it scales', 'isReported'],
    ['i used to live in vienna', 'isPast'],
    ['back then we had one server', 'isPast'],
    ["i'm so tired", 'isMomentary'],
    ['the tests are still running', 'isMomentary'],
    ['fix the typo in line 3', 'isCommand'],
  ])('"%s" %s', (text, flag) => {
    expect(flagsOf(text)).toContain(flag);
  });

  it.each([
    'the admin port is 8443',
    'we go with redis for the tile cache',
    'when we deploy, the workers are drained first',
    'my sister lives in graz',
    'i told you that the pump has 12 volts',
  ])('"%s" is simply said', (text) => {
    expect(flagsOf(text)).toEqual([]);
  });
});
