import { readWords } from '../text/words.ts';

/**
 * Fields of life and work with words that belong to them: what word vectors know too little of. A message about cabbage
 * and leeks and a playbook about dinners share no word and hardly a direction, but they share a field; a flaky croissant
 * and a flaky test share the word and no field.
 */
const FIELDS: Readonly<Record<string, string>> = {
  cooking:
    'recipe cook dinner lunch breakfast supper meal dish ingredient oven pan pot fry roast bake boil stir dough flour butter sugar salt pepper spice garlic onion tomato potato carrot cabbage leek spinach salad soup sauce pasta noodle rice bean lentil cheese feta egg milk cream chicken beef pork fish salmon tofu vegetable fruit apple lemon berry cake cookie bread croissant muffin pancake pizza curry stew snack dessert leftover grocery fridge freezer vegetarian vegan kitchen knife spoon taste flavour crunchy tasty ramen bakery porridge jam chocolate nut walnut almond peanut',
  garden:
    'garden allotment plant sow seed seedling soil compost bed prune harvest weed slug snail flower rose tulip tree bush hedge lawn mow grass water greenhouse fertiliser mulch frost bloom tomato bean pumpkin courgette lettuce radish herb basil bulb pot balcony shed spade rake hose allotment orchard pest aphid',
  fitness:
    'gym workout training squat deadlift bench press rep set lift weight barbell dumbbell muscle strength cardio run running jog marathon sprint treadmill stretch yoga pilates warmup deload coach fitness swim cycling bike ride pace kilometre sore push-up pull-up plank',
  health:
    'doctor physician clinic hospital surgery operation pain ache swelling knee shoulder back ankle hip meniscus tendon physio physiotherapy rehab crutch exercise symptom fever cough flu cold allergy allergic rash medicine medication tablet pill dose prescription pharmacy blood pressure heart therapy therapist nurse vaccine diagnosis injury bandage headache migraine stairs limp bend stiff dentist tooth appointment ointment ice inflammation',
  pets: 'dog cat puppy kitten beagle vet paw leash bark tail treat kennel litter rabbit hamster parrot pet dogsitter fur flea tick seizure epilepsy fetch collar breed aquarium',
  school:
    'school teacher homework class classroom pupil student grade report exam test lesson kindergarten daycare nursery parent evening principal timetable maths spelling essay curriculum semester lunchbox satchel playground trip excursion club pickup kid child children son daughter little one geography biology',
  family:
    'mum mom dad father mother brother sister grandma grandpa aunt uncle cousin wife husband partner wedding birthday present gift anniversary baby family in-law visit christmas easter holiday babysitter',
  travel:
    'travel trip flight plane airport airline train station ticket seat hotel room booking book hostel airbnb luggage suitcase passport visa boarding itinerary tour tourist beach vacation holiday destination check-in cabin ferry bus taxi transfer layover fare rail railway night reservation conference',
  money:
    'money bank account payment pay transfer loan mortgage interest savings budget cost price expense spend salary wage income debt credit card cash euro dollar pound fee refund invoice bill receipt pension insurance invest stock share fund',
  invoicing:
    'invoice billing bill client overdue reminder dunning payment due freelance hourly rate quote net gross vat number customer iban bank day terms unpaid chase',
  tax: 'tax vat deduction deductible income return office advisor prepayment receipt declaration filing assessment refund allowance fiscal quarter quarterly employer depreciation',
  expenses:
    'expense reimburse reimbursement per diem mileage receipt employer business trip hand claim policy paid private card hotel taxi meal allowance',
  mail: 'email mail inbox newsletter unsubscribe spam reply forward sender subject unread archive draft attachment gmail outlook message thread folder out-of-office answer',
  calendar:
    'calendar meeting appointment schedule reschedule agenda invite slot reminder deadline standup call availability minutes attend',
  writing:
    'write writing draft text paragraph sentence wording phrase tone style edit proofread blog article post headline essay summary word plain jargon filler copy announcement letter story chapter',
  language:
    'german english french spanish italian grammar vocabulary verb noun dative accusative genitive tense conjugate article pronunciation translate translation lesson exercise flashcard fluent exam b1 b2 goethe speaking listening sentence word idiom dictionary konjunktiv',
  music:
    'music cello violin piano guitar drum flute orchestra rehearsal concert bow bowing scale étude etude metronome tempo bar measure note chord melody vibrato practise practice string sonata octave sight-reading lesson conductor song choir band',
  home: 'house flat apartment rent landlord tenant kitchen bathroom bedroom wall floor tile worktop cabinet plumber electrician carpenter craftsman socket tap sink stove renovation paint drill wood furniture sofa lamp heating boiler window door roof move moving cleaning vacuum washing machine dishwasher fitter',
  car: 'car drive driver engine tyre tire brake wheel oil petrol diesel electric garage mechanic motorway parking licence bumper clutch mileage inspection torque bolt nut bike bicycle scooter',
  weather: 'weather rain snow sun sunny storm wind cloud temperature forecast degrees cold warm heatwave fog umbrella',
  entertainment:
    'film movie series episode season podcast novel book game play concert theatre actor director song album band netflix streaming show documentary radio museum board-game puzzle joke comic',
  sports:
    'football soccer tennis basketball match goal team league score player coach referee championship tournament ball stadium cup final',
  legal:
    'contract clause law lawyer legal court sue liability licence terms agreement gdpr privacy notary signature dispute breach compliance notice',
  realestate:
    'flat apartment viewing rent deposit lease landlord agent mortgage square metre listing neighbourhood move',
  hiring:
    'candidate interview hiring hire applicant résumé resume cv recruiter job offer salary band scorecard onboarding position role team take-home reference rejection notice start developer designer engineer',
  management:
    'manager report one-on-one feedback performance review promotion goal okr quarter roadmap team hire conflict delegate stakeholder budget planning strategy',
  sales:
    'customer client account contract renewal deal prospect lead pipeline demo pricing discount quote negotiation upsell churn crm seat revenue partner vendor',
  support:
    'customer complaint support ticket refund angry furious upset disappointed escalate escalation apology apologise goodwill cancel subscription unhappy review star threaten service helpdesk response waiting',
  marketing:
    'campaign brand audience launch announcement newsletter social media post seo advert landing page conversion slogan press influencer',
  code: 'code function class variable method bug fix refactor compile type typescript javascript python java rust go loop array string null exception stack trace library module import script repository branch commit merge rebase git diff lint api endpoint json parse async thread memory pointer regex cli',
  review:
    'review reviewer pull request pr merge comment remark diff patch branch nit approve lgtm changes feedback blocking suggestion code',
  testing:
    'test tests suite flaky flake fixture assertion assert mock unit integration e2e coverage ci green red rerun retry timeout quarantine intermittent fails passes locally runner snapshot deterministic race sleep seed',
  deploy:
    'deploy deployment production prod live release ship rollout rollback canary cluster kubernetes kubectl helm pod container docker image build pipeline version hotfix traffic freeze server node downtime',
  incident:
    'incident outage down alert pager paged on-call oncall sev1 sev2 error errors latency timeout crash failing 500 503 customers affected status page dashboard grafana mitigate restart failover escalate war-room monitoring spike',
  postmortem:
    'postmortem post-mortem root cause blameless timeline action items review lessons contributing factors impact five whys incident retro learned',
  infrastructure:
    'terraform infrastructure module state plan apply provider resource vpc subnet dns bucket aws gcp azure iam cloud terragrunt tfstate ansible drift region instance load-balancer network firewall variable',
  environments: 'staging preview environment sandbox seed tear branch review app demo data reset namespace',
  database:
    'database postgres mysql sql table column row index schema migration migrate backfill query lock transaction foreign key constraint null default rename vacuum replica snapshot orm prisma',
  dependencies:
    'dependency dependencies package packages upgrade update version major minor patch npm yarn pip lockfile renovate dependabot semver outdated audit breaking changelog pin library framework',
  release:
    'release notes changelog version announcement highlights feature features bump tag upgrade deprecated public users shipped what’s new',
  security:
    'security vulnerability exploit cve disclosure advisory embargo bounty researcher attacker xss injection csrf password admin auth bypass leak token encryption phishing patch severity report pentest breach',
  accessibility:
    'accessibility a11y screen reader keyboard focus aria label contrast wcag blind alt mouse tab caption motion zoom announce colour sight voiceover nvda deaf',
  frontend:
    'button page css html component react layout form field modal menu font color colour responsive browser click scroll pixel design dark theme icon frontend',
  data: 'dataset pandas csv spreadsheet excel chart plot model train training statistics average median notebook dashboard metric analytics regression neural machine-learning',
  hardware:
    'printer laptop phone monitor keyboard mouse cable battery usb router wifi screen charger camera speaker headset disk ssd gpu paper jam',
  science:
    'physics chemistry biology experiment theory atom molecule cell planet star evolution energy gravity history invented war king century philosophy',
  shopping:
    'buy order shop store delivery parcel return size shoes shirt jacket dress brand discount price cart amazon present warranty',
};

const fieldsByStem = new Map<string, number[]>();
const NAMES = Object.keys(FIELDS);
for (const [at, words] of Object.values(FIELDS).entries()) {
  for (const { stem } of readWords(words)) {
    const fields = fieldsByStem.get(stem) ?? [];
    if (!fields.includes(at)) fieldsByStem.set(stem, [...fields, at]);
  }
}

/** How much of a text belongs to each field; a word of several fields counts less for each. */
export function fieldsOf(stems: Iterable<readonly [stem: string, count: number]>): Float32Array {
  const mass = new Float32Array(NAMES.length);
  for (const [stem, count] of stems) {
    const fields = fieldsByStem.get(stem) ?? [];
    for (const field of fields) mass[field] = (mass[field] ?? 0) + count / fields.length;
  }
  return mass;
}

export interface FieldAgreement {
  /** Words of the message that belong to the topic's fields. */
  readonly shared: number;
  /** Words that belong to other fields only. */
  readonly foreign: number;
}

/** A field is the topic's when it makes up at least this share of its strongest one. */
const OWN_SHARE = 0.3;

export function compareFields(message: Float32Array, topic: Float32Array): FieldAgreement {
  const strongest = Math.max(...topic);
  let shared = 0;
  let foreign = 0;
  message.forEach((mass, field) => {
    const share = strongest === 0 ? 0 : (topic[field] ?? 0) / strongest;
    if (share >= OWN_SHARE) shared += mass * share;
    else foreign += mass * (1 - share);
  });
  return { shared: Math.log1p(shared), foreign: Math.log1p(foreign) };
}
