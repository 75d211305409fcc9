/** A made-up team and two weeks of its work: what the pictures in the docs show. Nobody in it exists. */

export interface Said {
  readonly role: 'user' | 'agent';
  readonly text: string;
}

export interface Conversation {
  /** The days before the present, and the time of day. */
  readonly daysAgo: number;
  readonly hour: number;
  readonly id: string;
  readonly topic: string;
  readonly channel: string;
  readonly turns: readonly Said[];
}

const user = (text: string): Said => ({ role: 'user', text });
const agent = (text: string): Said => ({ role: 'agent', text });

export const CONVERSATIONS: readonly Conversation[] = [
  {
    daysAgo: 12,
    hour: 9,
    id: 'lantern-kickoff',
    topic: 'Lantern: what we build first',
    channel: 'cli',
    turns: [
      user('We start Lantern today: the tide and weather board for small harbours. Mira Halden leads it.'),
      agent('Noted. Who else is on it, and when should the first harbour see something?'),
      user(
        'Jonas Pell does the sensors, Tove does the design. Skagen harbour is the first customer, and they want a board by the end of the month.',
      ),
      agent(
        'Then the sensor feed is the critical path. I would begin with a recorded feed, so that design does not wait for hardware.',
      ),
      user('Good. We decided to use SQLite on the boards: they are offline half of the time.'),
    ],
  },
  {
    daysAgo: 8,
    hour: 14,
    id: 'tide-feed',
    topic: 'The tide feed drifts by an hour',
    channel: 'slack',
    turns: [
      user('The tide times in Skagen are an hour off since Sunday.'),
      agent('The feed is in UTC and the board adds the zone twice: once when it stores, once when it draws.'),
      user('Fix it where it stores. And we never store local times again, please remember that.'),
      agent(
        'Done: everything is stored in UTC, the board converts when it draws. I added a test for the Sunday of the change.',
      ),
      user('Jonas moves to the Aarhus office next Monday, by the way.'),
    ],
  },
  {
    daysAgo: 4,
    hour: 16,
    id: 'release-plan',
    topic: 'How we release boards',
    channel: 'cli',
    turns: [
      user('Can we write down how we release a board? Last time we forgot the backup.'),
      agent(
        'Tag, wait for the nightly run, take a backup of the board, push to one harbour, watch an hour, push to the rest.',
      ),
      user('Yes. We release on Tuesdays, after the stand-up, never on Fridays.'),
      agent('I wrote it down as a procedure and as a topic, so that it comes up when somebody says release.'),
    ],
  },
  {
    daysAgo: 0,
    hour: 8,
    id: 'skagen-go-live',
    topic: 'Skagen goes live',
    channel: 'cli',
    turns: [
      user('Skagen wants to go live this week. What is still open?'),
      agent('The backup of the old board, and Tove’s night colours. The tide feed has been right for eight days.'),
      user('Mira prefers to go live on Tuesday. Ask Tove about the night colours.'),
    ],
  },
];

export const ENTITIES: readonly (readonly [name: string, type: string, summary: string])[] = [
  ['Mira Halden', 'person', 'Leads Lantern. Decides fast, wants the risk named first.'],
  ['Jonas Pell', 'person', 'Builds the sensors and everything that gets wet.'],
  ['Tove Lindqvist', 'person', 'Design; made the night colours.'],
  ['Ida Brandt', 'person', 'Harbour master in Skagen; the first customer.'],
  ['Lantern', 'project', 'The tide and weather board for small harbours.'],
  ['Tide feed', 'project', 'Where the boards get their tide times from.'],
  ['Night colours', 'project', 'A board that does not blind anybody at three in the morning.'],
  ['Skagen', 'place', 'The first harbour.'],
  ['Aarhus', 'place', 'The second office.'],
  ['Brisk Instruments', 'organization', 'The company.'],
  ['SQLite', 'technology', 'On every board.'],
];

export const RELATIONS: readonly (readonly [string, string, string])[] = [
  ['Mira Halden', 'works-on', 'Lantern'],
  ['Jonas Pell', 'works-on', 'Tide feed'],
  ['Jonas Pell', 'works-on', 'Lantern'],
  ['Tove Lindqvist', 'works-on', 'Night colours'],
  ['Tove Lindqvist', 'knows', 'Ida Brandt'],
  ['Tide feed', 'part-of', 'Lantern'],
  ['Night colours', 'part-of', 'Lantern'],
  ['Lantern', 'uses', 'SQLite'],
  ['Mira Halden', 'works-for', 'Brisk Instruments'],
  ['Jonas Pell', 'works-for', 'Brisk Instruments'],
  ['Tove Lindqvist', 'works-for', 'Brisk Instruments'],
  ['Mira Halden', 'manages', 'Jonas Pell'],
  ['Ida Brandt', 'located-in', 'Skagen'],
  ['Brisk Instruments', 'located-in', 'Aarhus'],
];

export interface StatedFact {
  readonly entity: string;
  readonly text: string;
  readonly attribute?: string;
  readonly value?: string;
  readonly from?: string;
}

export const FACTS: readonly StatedFact[] = [
  { entity: 'Jonas Pell', text: 'Lives in Odense.', attribute: 'residence', value: 'Odense', from: '2024-03' },
  { entity: 'Jonas Pell', text: 'Lives in Aarhus.', attribute: 'residence', value: 'Aarhus', from: '2026-11' },
  { entity: 'Jonas Pell', text: 'Answers before nine, hardly ever after lunch.' },
  { entity: 'Mira Halden', text: 'Prefers to go live on Tuesdays.' },
  { entity: 'Mira Halden', text: 'Wants the risk named first, then the plan.' },
  { entity: 'Lantern', text: 'The boards are offline half of the time; they must work without a network.' },
  { entity: 'Lantern', text: 'First release is due for Skagen at the end of the month.', from: '2026-11' },
  { entity: 'Tide feed', text: 'Everything is stored in UTC; the board converts when it draws.' },
  { entity: 'Ida Brandt', text: 'Reads the board at five in the morning, on a phone.' },
];

export const CORE: readonly (readonly [
  text: string,
  block: 'Persona' | 'Identity' | 'Critical Facts' | 'Active Context',
])[] = [
  ['Short answers, with the reason; the risk first', 'Persona'],
  ['The user is Mira Halden, who leads Lantern', 'Identity'],
  ['Boards are released on Tuesdays after the stand-up, never on Fridays', 'Critical Facts'],
  ['Never store local times: UTC in the store, the zone when drawing', 'Critical Facts'],
  ['Skagen goes live this week; open: backup of the old board, night colours', 'Active Context'],
];

export const REMEMBERED: readonly (readonly [daysAgo: number, text: string, type: 'decision' | 'fact' | 'learning'])[] =
  [
    [11, 'We decided to use SQLite on the boards, because they are offline half of the time', 'decision'],
    [8, 'Tide times were an hour off: the zone was added twice', 'learning'],
    [4, 'We decided that boards are released on Tuesdays after the stand-up, never on Fridays', 'decision'],
    [1, 'The tide feed has been right for eight days', 'fact'],
    [0, 'Ida Brandt wants the tide in centimetres, not in feet', 'fact'],
  ];

/** A sub-agent's proposals: one uncontested, and two of which only one can be true. */
export const PROPOSED: readonly { readonly text: string; readonly evidence: readonly string[] }[] = [
  { text: 'Skagen wants somebody on call before five in the morning', evidence: ['skagen-go-live#t1'] },
  { text: 'Ida Brandt lives in Hirtshals.', evidence: ['skagen-go-live#t3'] },
  { text: 'Ida Brandt lives in Skagen.', evidence: ['skagen-go-live#t1'] },
];
