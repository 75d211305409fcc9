import type { SeededRandom } from '../../test/support/seeded-random.ts';

/** Something the memory is told once, and what it is later tried with. */
export interface Planted {
  readonly statement: string;
  /** Told as "Please remember that …"; otherwise in passing. */
  readonly isExplicit: boolean;
  readonly day: number;
  readonly question: string;
  /** Words of which each has to stand in an answer. */
  readonly answer: readonly string[];
  /** A message to which it belongs, without asking for it word by word. */
  readonly prompt: string;
}

export type Line = readonly ['user' | 'agent', string];

const PEOPLE =
  'Aino Bruno Carla Dario Elsa Felix Greta Henri Ilse Jakob Katrin Lorenzo Mirjam Nils Olga Pavel Rosa Stefan Thea Umberto Vilma Walter Xenia Yannick Zoltan'.split(
    ' ',
  );
const SERVICES =
  'harbor-ledger tide-planner crane-api quay-portal ferry-sync customs-gate buoy-monitor pilot-app berth-board anchor-auth cargo-index dock-mailer freight-quote hull-scanner jetty-cache keel-metrics lantern-jobs mooring-web port-search rudder-queue'.split(
    ' ',
  );
const FOODS =
  'walnuts shellfish sesame celery lupins mustard peanuts gluten lactose soy kiwi strawberries tomatoes mushrooms garlic'.split(
    ' ',
  );
const CITIES =
  'Bergen Porto Ghent Tartu Graz Lucca Malmo Brno Galway Split Nantes Cadiz Leipzig Turku Parma Bruges Ystad Gdynia Trieste Aarhus'.split(
    ' ',
  );
const COMPANIES =
  'Northlight Kestrel Brightwater Solveig Tannhauser Oakfield Marlin Ravenhall Ostrava Pinewood Halcyon Vesper Ironbark Juniper'.split(
    ' ',
  );
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const TECHS =
  'RabbitMQ PostgreSQL Redis Kafka SQLite Elasticsearch MongoDB Terraform Ansible Nomad Kubernetes Memcached'.split(
    ' ',
  );
const HOSTS = 'alder birch cedar dogwood elm fir gingko hazel ivy juniper larch maple oak pine rowan spruce'.split(' ');

type Draw = (random: SeededRandom, subject: string) => Omit<Planted, 'day' | 'isExplicit'>;

const ABOUT_PEOPLE: readonly Draw[] = [
  (random, name) => {
    const food = random.pick(FOODS);
    return {
      statement: `${name} is allergic to ${food}`,
      question: `What is ${name} allergic to?`,
      answer: [name, food],
      prompt: `I am cooking for ${name} on Saturday and do not want to cause an allergy. Suggest a menu.`,
    };
  },
  (random, name) => {
    const city = random.pick(CITIES);
    return {
      statement: `${name} lives in ${city}`,
      question: `Where does ${name} live?`,
      answer: [name, city],
      prompt: `I want to visit ${name} at home next month. Which train do I take to where ${name} lives?`,
    };
  },
  (random, name) => {
    const company = random.pick(COMPANIES);
    return {
      statement: `${name} works at ${company}`,
      question: `Which company does ${name} work at?`,
      answer: [name, company],
      prompt: `Draft a mail to ${name} about a cooperation with the company where ${name} works.`,
    };
  },
  (random, name) => {
    const date = `${random.between(1, 28)} ${random.pick(MONTHS)}`;
    return {
      statement: `${name}'s birthday is on ${date}`,
      question: `When is ${name}'s birthday?`,
      answer: [name, date],
      prompt: `Put a reminder into my calendar a week before ${name}'s birthday.`,
    };
  },
];

const ABOUT_SERVICES: readonly Draw[] = [
  (random, service) => {
    const port = String(random.between(1100, 9900));
    return {
      statement: `the ${service} database listens on port ${port}`,
      question: `Which port does the ${service} database listen on?`,
      answer: [service, port],
      prompt: `I cannot connect to the ${service} database, write me the connection string with its port.`,
    };
  },
  (random, service) => {
    const host = `${random.pick(HOSTS)}-${random.between(10, 99)}`;
    return {
      statement: `the ${service} service is deployed on the server ${host}`,
      question: `On which server is the ${service} service deployed?`,
      answer: [service, host],
      prompt: `The ${service} service is down. Log in to the server it is deployed on and restart it.`,
    };
  },
  (random, service) => {
    const tech = random.pick(TECHS);
    return {
      statement: `we decided to use ${tech} for ${service}`,
      question: `What did we decide to use for ${service}?`,
      answer: [service, tech],
      prompt: `Write the setup guide for ${service} with what we decided to use.`,
    };
  },
  (random, service) => {
    const budget = `${random.between(12, 98)},500 euros`;
    return {
      statement: `the budget of ${service} is ${budget}`,
      question: `How large is the budget of ${service}?`,
      answer: [service, budget],
      prompt: `Prepare the spending plan of ${service} so that it stays within the budget.`,
    };
  },
  (random, service) => {
    const day = random.pick(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']);
    return {
      statement: `${service} is only released on ${day}s`,
      question: `On which day is ${service} released?`,
      answer: [service, day],
      prompt: `Plan the next release of ${service}: which day does it have to be?`,
    };
  },
];

/** Facts that matter: each subject with each of its kinds, until there are enough. */
export function drawImportant(random: SeededRandom, count: number, lastDay: number): Planted[] {
  const drawn = [
    ...PEOPLE.flatMap((name) => ABOUT_PEOPLE.map((draw) => draw(random, name))),
    ...SERVICES.flatMap((name) => ABOUT_SERVICES.map((draw) => draw(random, name))),
  ];
  return shuffled(random, drawn)
    .slice(0, count)
    .map((one): Planted => ({ ...one, isExplicit: random.chance(0.5), day: random.integer(lastDay) }));
}

const DISHES = 'lentil soup|a cheese roll|cold pizza|rice with beans|a tuna wrap|potato salad|fried noodles'.split('|');
const ROOMS = 'Amber Basalt Coral Dune Ember Fjord Glade Heath'.split(' ');
const FILMS = 'about beekeepers|about a lost submarine|about two chess players|about a baker in Rome'.split('|');

const TRIVIAL: readonly Draw[] = [
  (random, tag) => {
    const dish = random.pick(DISHES);
    return {
      statement: `I had ${dish} for lunch at the ${tag} stall today`,
      question: `What did I have for lunch at the ${tag} stall?`,
      answer: [tag, dish],
      prompt: `I am off for lunch, perhaps ${dish} again from the ${tag} stall.`,
    };
  },
  (random, tag) => {
    const minutes = `${random.between(3, 40)} minutes`;
    return {
      statement: `the ${tag} bus was ${minutes} late this morning`,
      question: `How late was the ${tag} bus?`,
      answer: [tag, minutes],
      prompt: `I have to run, the ${tag} bus leaves soon and is late every morning.`,
    };
  },
  (random, tag) => {
    const room = random.pick(ROOMS);
    return {
      statement: `the meeting room ${room} was too cold for the ${tag} call`,
      question: `In which room was the ${tag} call?`,
      answer: [tag, room],
      prompt: `Book the meeting room ${room} for the ${tag} call.`,
    };
  },
  (random, tag) => {
    const film = random.pick(FILMS);
    return {
      statement: `I watched a film ${film} with the ${tag} people last night`,
      question: `Which film did I watch with the ${tag} people?`,
      answer: [tag, film],
      prompt: `The ${tag} people want to watch a film tonight.`,
    };
  },
];

const SYLLABLES = 'ba de fi go ku la me no pi ru sa te vo wi zu'.split(' ');

/** What nobody needs a week later. */
export function drawTrivial(random: SeededRandom, count: number, lastDay: number): Planted[] {
  return Array.from({ length: count }, (_, index): Planted => {
    const draw = TRIVIAL[index % TRIVIAL.length] ?? must();
    const tag = nameOf(random, index);
    return { ...draw(random, tag), isExplicit: random.chance(0.3), day: random.integer(lastDay) };
  });
}

function nameOf(random: SeededRandom, index: number): string {
  const name = `${random.pick(SYLLABLES)}${SYLLABLES[index % SYLLABLES.length] ?? ''}${random.pick(SYLLABLES)}${SYLLABLES[Math.floor(index / SYLLABLES.length)] ?? ''}`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const VERBS = 'refactor profile document rewrite test review migrate simplify rename clean'.split(' ');
const PARTS =
  'parser|login form|invoice export|retry loop|search page|unit tests|release script|import job|date picker|error log|mail template|rate limiter|health check|upload dialog'.split(
    '|',
  );
const HELPERS = 'Anton Berit Cosmin Dilara Emre Frida Goran Hedda'.split(' ');
const REASONS =
  'it fails on empty input|nobody understands it|it takes four seconds|two customers complained|the tests are flaky|it logs far too much'.split(
    '|',
  );

const FINDINGS =
  'it is called from {n} places, most of which only want to know whether it succeeded|half of its {n} branches are never taken in the logs of the last weeks|it opens a new connection for every one of the {n} rows, which is where the time goes|the comment above it says it is temporary, and it was written {n} months ago|its tests mock everything but the clock, so that {n} of them pass whatever it does|it swallows {n} kinds of errors and reports none of them'.split(
    '|',
  );
const STEPS =
  'begin with the callers and leave the inside for later|write down what it does today as a test before anything moves|take the part that talks to the network out first|keep both versions for {n} days and compare what they answer|cut it along the line between reading and writing|do it in {n} small steps, each of which can be released alone'.split(
    '|',
  );
const RESULTS =
  'All {n} tests pass and the page opens in {n} ms.|{n} files changed; the one that is left waits for your answer.|It now needs {n} MB less, and the logs are quiet.|Two of the {n} warnings are gone, the others were there before.'.split(
    '|',
  );

function fill(random: SeededRandom, text: string): string {
  return text.replaceAll('{n}', () => String(random.between(2, 900)));
}

/** A piece of work: mostly chatter, now and then a decision, a task or something learned. */
function drawPiece(random: SeededRandom): Line[] {
  const [part, verb, reason] = [random.pick(PARTS), random.pick(VERBS), random.pick(REASONS)];
  const project = random.pick(SERVICES);
  const found = [random.pick(FINDINGS), random.pick(FINDINGS)].map((text) => fill(random, text)).join(', and ');
  const steps = [random.pick(STEPS), random.pick(STEPS)].map((text) => fill(random, text)).join(', then ');
  const lines: Line[] = [
    ['user', `Let us ${verb} the ${part} of ${project} today, ${reason}.`],
    [
      'agent',
      `I looked at the ${part} of ${project}: ${found}. To ${verb} it I would ${steps}. That should take about ${random.between(10, 90)} minutes, and nobody has to stop working meanwhile; if something goes wrong, the last release is still there. Shall I?`,
    ],
    ['user', random.pick(['Good, go ahead.', 'Fine, but keep the old behaviour.', 'Yes. Show me the diff first.'])],
    [
      'agent',
      `Done with the ${part}. ${fill(random, random.pick(RESULTS))} ${fill(random, random.pick(RESULTS))} What I noticed on the way: ${fill(random, random.pick(FINDINGS))}; I left that as it is.`,
    ],
  ];
  if (random.chance(0.08))
    lines.push(['user', `We decided to ${random.pick(VERBS)} the ${random.pick(PARTS)} of ${project} next quarter.`]);
  if (random.chance(0.08))
    lines.push([
      'user',
      `I still have to ${random.pick(VERBS)} the ${random.pick(PARTS)} with ${random.pick(HELPERS)} by Friday.`,
    ]);
  if (random.chance(0.04))
    lines.push(['user', `Lesson learned: never ${random.pick(VERBS)} the ${part} without a backup, ${reason}.`]);
  if (random.chance(0.02)) lines.push(['user', `I prefer short answers when we ${verb} things.`]);
  return lines;
}

const PIECES = 3;

/** A conversation about work. */
export function drawTalk(random: SeededRandom): Line[] {
  return Array.from({ length: PIECES }, () => drawPiece(random)).flat();
}

function shuffled<T>(random: SeededRandom, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: random.number() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ value }) => value);
}

function must(): never {
  throw new Error('there is no kind to draw');
}
