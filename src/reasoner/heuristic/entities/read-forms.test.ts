import { expect, it } from 'vitest';
import { loadLexicon } from './lexicon.ts';
import { readForms } from './read-forms.ts';

async function read(text: string): Promise<string[]> {
  const found = readForms(text, await loadLexicon());
  return found.map(
    ({ subject, family, object, said }) => `${subject?.name ?? 'I'} ${said ?? family} ${object?.name ?? 'I'}`,
  );
}

it.each([
  ['My sister Leonor moved in on Saturday.', ['Leonor sister-of I']],
  ['Oh, MY SISTER Leonor moved in.', ['Leonor sister-of I']],
  ['oh, my sister leonor moved in, and so did Bo.', []],
  ['Could you call my big brother Arkadiusz?', ['Arkadiusz brother-of I']],
  ['we asked our daughter Meike and my wife, Frauke, to help', ['I parent of Meike', 'Frauke wife-of I']],
  ['I have my kids Ondřej, Barbora and Vít here.', ['I parent of Ondřej', 'I parent of Barbora', 'I parent of Vít']],
  ['Koldo’s sister Miren fills it.', ['Miren sister-of Koldo']],
  ['My wife Anjali’s brother Ravi visits.', ['Anjali wife-of I', 'Ravi brother-of Anjali']],
  ['Dr. Pim and his husband Joost come along.', ['Joost husband-of Pim']],
  ['Okan is my husband, he makes instruments.', ['Okan husband-of I']],
  ["My boss's name is Xiomara.", ['Xiomara manages I']],
  ['Gosia, who works for Tern & Gull, asked.', ['Gosia works for Tern & Gull']],
  ['Tobi Oyelaran now works at the Harbour Kitchen.', []],
  ['Tobi Oyelaran now works at Harbour Kitchen.', ['Tobi Oyelaran works for Harbour Kitchen']],
  ['Since then Hettie lives in Algoa Heights.', ['Hettie lives in Algoa Heights']],
  ['Theodora reports directly to Mr Baptiste.', ['Theodora reports to Baptiste']],
  ['checkout-api depends on billing-core and restarts often.', ['checkout-api depends on billing-core']],
  ['We replaced Jenkins with Buildkite.', ['Jenkins replaced by Buildkite']],
  ['Because Jonas founded Hexafarm, he sits there.', ['Jonas founded Hexafarm']],
])('readForms takes relations from %j', async (text, relations) => {
  expect((await read(text)).sort()).toEqual([...relations].sort());
});

it.each([
  'Is Jonas married to Vera?',
  'If Jonas works at Zalando, we have a problem.',
  'I wish Tanvi was my boss.',
  'Jonas never worked at Infosys, and Jonas does not report to Vera.',
  'People say Jonas lives in Porto.',
  'Jonas lives in Porto no longer.',
  'My late wife Annelore sang there, and my ex-husband Julien too.',
  'My brother-in-law Kaveh came.',
  'Before the merger Jonas reports to Vera was what the chart said.',
  '"I work for Acme Holding", it said on the badge.',
  'She works at Christmas and lives in Monday meetings.',
  'I asked my boss, Fabrice was not there.',
  'Jonas works for Vera.',
  'My manager IS asking me.',
  'When the neighbour says "my husband Nilton" she means the dog.',
  'My English is good, my husband’s English is from the ships.',
  'You know my half sister, Bruno’s is another.',
  'Her mother is Welsh and her husband, Mr Petkov, plays.',
  'Everything runs on Coffee.',
  'Jonas manages Vera Lindt’s neighbour.',
])('readForms takes nothing from %j', async (text) => {
  expect(await read(text)).toEqual([]);
});
