import { splitWords } from '../../../search-index/text/terms.ts';

/** What somebody is to others or for a living. Two who are called alike but do quite other things are two. */
const ROLES: ReadonlySet<string> = new Set(
  `accountant actor actress adviser advisor agent analyst anaesthetist apprentice architect archivist artist assistant attorney auctioneer auditor aunt author
  babysitter baker banker barber barista bartender beekeeper blacksmith bookkeeper boss breeder broker brother builder butcher buyer
  captain caretaker carer carpenter cashier chair chairman chairwoman chairperson chef chief choirmaster cleaner clerk client climber coach colleague composer conductor
  consultant contractor cook councillor counsel counsellor counselor courier cousin curator customer cyclist dad dancer daughter dba dealer dentist deputy designer
  developer diarist dietician director dishwasher dispatcher diver doctor driver drummer economist editor electrician engineer estate ex-wife ex-husband examiner
  farmer farrier father financier firefighter fisherman fishmonger flatmate florist foreman forester founder friend gardener geologist girlfriend boyfriend glazier goalkeeper goddaughter godson
  governor gp grandfather grandmother grandson granddaughter grocer groomer guard guide guitarist hairdresser handyman harvester head headmaster headteacher historian husband
  illustrator imam inspector instructor insurer intern interpreter inventor janitor jeweller journalist judge keeper killer landlady landlord lawyer leader lecturer librarian lifeguard locksmith
  magistrate manager mason masseuse mayor mechanic mentor midwife miller minister moderator mother mum musician nanny neighbor neighbour nephew niece notary nurse nutritionist
  officer operator optician organist orthodontist owner pal painter paralegal paramedic parrot partner pastor patient paediatrician pediatrician pharmacist photographer physician physio physiotherapist pianist pilot planner
  player plumber poet policeman policewoman porter postman potter practitioner presenter priest principal printer producer professor programmer proofreader psychologist publisher pupil
  qs rabbi radiologist ranger receptionist recruiter referee rep reporter researcher roommate sailor salesman saleswoman scientist scoutmaster sculptor secretary seller shepherd shopkeeper singer sister skipper social
  soldier solicitor son soprano spokesman spokeswoman sponsor statistician steward stylist sub-contractor superintendent supervisor supplier surgeon surveyor tailor teacher technician teller tenant tenor tester therapist tiler
  trader trainer trainee translator treasurer tuner tutor twin umpire uncle undertaker vet veterinarian vicar violinist waiter waitress warden watchmaker weaver welder wife winegrower witness writer
  coworker au-pair teammate bandmate classmate goalie`
    .split(/\s+/u)
    .filter((word) => !['estate', 'social', 'killer', 'buyer', 'head', 'partner', 'friend'].includes(word)),
);

const ROLE_ENDING = /(?:ologist|ographer|ician|keeper|maker|smith|monger|wright|therapist)$/u;

/** The words of a description that say what somebody is. */
export function rolesIn(context: string): Set<string> {
  const words = splitWords(context.toLowerCase()).map((word) => word.replace(/s$/u, ''));
  return new Set(words.filter((word) => ROLES.has(word) || ROLE_ENDING.test(word)));
}
