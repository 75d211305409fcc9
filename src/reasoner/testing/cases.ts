import type { Comparison, Route } from '../port.ts';

export const ROUTE_CASES: readonly (readonly [string, Route['store']])[] = [
  ['remember that I live in Hamburg', 'core'],
  ["remember: I'm allergic to penicillin", 'core'],
  ['my name is Ada and my birthday is on 4 May', 'core'],
  ['never send mails without showing them to me first, i hate that', 'core'],
  ['I work at Tidewater Maps', 'core'],
  ['keep this forever: the combination is in the blue book', 'vault'],
  ['always remember, permanently, that the key is with Hatice', 'vault'],
  ['how to reset the boiler: hold the left button, wait for the beep, then press the right one', 'procedural'],
  ['to release: bump the version, tag it, wait for the pipeline, then announce it', 'procedural'],
  ['we decided to use sqlite for the local store', 'semantic'],
  ['remind me to renew the passport before june', 'semantic'],
  ['our neighbour frau peters takes parcels for us', 'semantic'],
];

/** Known, incoming, likeness, and the verdicts that are right. */
export const COMPARE_CASES: readonly (readonly [string, string, number, ...Comparison['verdict'][]])[] = [
  ['Ada lives in Hamburg.', 'ada lives in hamburg', 1, 'same'],
  ['The staging server has 16 GB of memory.', 'The staging server has 16 GB memory.', 0.97, 'different', 'same'],
  ['Ada prefers window seats on long flights.', 'On long flights Ada prefers window seats.', 0.98, 'different', 'same'],
  ['Jonas Weidel is the SRE.', 'Jonas Albrecht is the designer.', 0.9, 'different'],
  ['Ask Jonas Weidel about Redis.', 'Ask Jonas Albrecht about Redis.', 0.97, 'different'],
  ['The balcony pots have a threshold of 28.', 'The raised beds have a threshold of 34.', 0.93, 'different'],
  ['Lena is vegetarian.', 'Leni is allergic to hazelnuts.', 0.9, 'different'],
  ['The admin API listens on port 8443.', 'The metrics listen on port 9443.', 0.9, 'different'],
  [
    'The cached raster tiles get a TTL of 24 hours.',
    'The cached raster tiles get a TTL of 6 hours instead of 24.',
    0.97,
    'replaces',
  ],
  ['The planning is on Mondays.', 'The planning is now on Tuesdays.', 0.95, 'replaces', 'contradicts'],
  ['The pump runs on 12 V.', 'The pump runs on 5 V.', 0.97, 'contradicts', 'replaces'],
  ['The sessions stay in Postgres.', 'The sessions do not stay in Postgres.', 0.97, 'replaces', 'contradicts'],
  ['Tom has two daughters.', 'Tom has two cats.', 0.92, 'different'],
  ['Ada has to call the vet on 12 March.', 'Ada has to call the dentist on 12 March.', 0.95, 'different'],
  ['Use SCAN for the tile purge.', 'Use UNLINK for the tile purge.', 0.95, 'different'],
  ['Mila likes peas.', 'Vera likes poppy seeds.', 0.85, 'different'],
  ['The flat in Ottensen has a garden.', 'The flat in Barmbek has a balcony.', 0.9, 'different'],
  ['Priya is away until 10 April.', 'Priya is away until 17 April.', 0.97, 'contradicts', 'replaces'],
  ['Vera lives in Graz.', 'Vera works in Graz.', 0.95, 'different'],
  ['The keys are with Hatice.', 'The keys are with Birte.', 0.94, 'different'],
  ['Mila starts school in August.', 'Mila starts swimming in August.', 0.94, 'different'],
  ['Backups run every night.', 'The bakery opens at six.', 0.3, 'different'],
  [
    'Ada reads on paper because she stares at screens all day.',
    'Ada reads on paper because she stares at screens all day at work and at home.',
    0.97,
    'different',
    'refines',
    'same',
  ],
];

export const SLUG_CASES: readonly (readonly [string, RegExp])[] = [
  ['Tile cache migration to Redis', /^tile-cache-migration-redis$/u],
  ['The new flat in Straße 9', /strasse/u],
  ['Søren & Łukasz: Übergabe', /^soren-lukasz-ubergabe$/u],
  ['', /^untitled$/u],
  ['!!!', /^untitled$/u],
  ['a the of', /^[a-z-]+$/u],
  ['one two three four five six seven eight nine ten eleven', /^[a-z-]{1,48}$/u],
  ['../../etc/passwd', /^[a-z0-9-]+$/u],
  ['日本語', /^[a-z0-9-]+$/u],
  ['x'.repeat(300), /^x{1,48}$/u],
];

/** Message, topic, how likely words make it, whether it is wanted. */
export const GATE_CASES: readonly (readonly [string, string, number, boolean])[] = [
  ['Please roll the API back on the live cluster', 'Deploy: bringing a build to production, and back', 0.93, true],
  [
    'We deploy the tent before sunset, who brings pegs?',
    'Deploy: bringing a build to production, and back',
    0.12,
    false,
  ],
  ['The invoice for Tessaly is overdue, write a reminder', 'Invoices: writing, sending and chasing them', 0.97, true],
  ['This is not about the invoice, I need her address', 'Invoices: writing, sending and chasing them', 0.2, false],
  ['', 'Invoices: writing, sending and chasing them', 0.9, false],
];

export const SUMMARY_CASES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [
    [
      "let's go with redis for the tile cache, cold disks cost us 20 minutes after every deploy",
      'A: Redis, then.',
      'thanks, lunch',
    ],
    ['redis', 'tile cache'],
  ],
  [
    ['remind me to call the vet on friday because of the blood test', "A: I'll remind you.", 'the weather is nice'],
    ['vet', 'friday'],
  ],
  [
    [
      'moss flooded the balcony, the tank stood above the outlet',
      'A: A siphon.',
      'lesson: the tank never stands above the outlet, it siphons',
    ],
    ['tank', 'outlet'],
  ],
  [
    ['we signed the lease for the flat in Ottensen, the move is on 21 March', 'A: Congratulations!'],
    ['ottensen', 'move'],
  ],
];
