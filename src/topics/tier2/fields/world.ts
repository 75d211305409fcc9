/** What people ask about out of curiosity: other senses of words that playbooks use. */
export const WORLD_FIELDS: Readonly<Record<string, string>> = {
  weather:
    'weather rain snow sun sunny storm wind cloud temperature forecast degrees cold warm heatwave fog umbrella humid thunder',
  animals:
    'animal animals bird birds owl crow snake python lion tiger elephant whale shark mackerel fish insect spider bee wolf fox bear deer species wild venomous habitat nest zoo penguin octopus',
  nature: 'tree trees forest river ocean sea mountain volcano island desert planet climate glacier coast tide',
  astronomy: 'planet star stars moon space nasa rocket orbit galaxy telescope mars astronaut satellite launch eclipse',
  physics:
    'physics quantum gravity energy atom particle speed light force newton magnet electron wave thermodynamics relativity',
  chemistry: 'chemistry molecule acid element reaction compound atom periodic table oxygen carbon solvent',
  biology: 'biology cell dna gene evolution protein bacteria virus organism mitosis enzyme photosynthesis',
  maths:
    'maths mathematics equation theorem proof algebra geometry calculus probability integral derivative matrix prime percent fraction',
  history:
    'history war king queen empire century ancient roman medieval revolution invented emperor castle battle dynasty archive 1911 1920 1969 1974 1980',
  politics:
    'election president parliament minister government party vote voter senate democracy candidate candidates campaign policy law referendum',
  economy: 'economy inflation market gdp recession trade central bank interest unemployment tariff industry',
  news: 'news newspaper headline article journalist report reported radio broadcast press podcast magazine interview',
  geography: 'country city capital map border population continent island region mountain longitude timezone flag',
  words:
    'word words etymology meaning synonym rhyme pun idiom phrase spelling pronounce origin originally term expression proverb saying name names anagram',
  fiction: 'novel heroine hero villain plot wizard detective fantasy tale fairy sci-fi character comic superhero',
  crime:
    'crime police murder theft cocaine drugs smuggling prison court detective thief fraud customs seizure evidence',
  military: 'army soldier navy troops weapon missile tank general ship fleet military war deploy deployed officer',
  religion: 'church god bible prayer priest monk temple mosque buddhist islam christian saint holy',
  philosophy: 'philosophy ethics moral meaning plato stoic consciousness logic argument virtue',
  art: 'art artist museum gallery sculpture painting exhibition renaissance picasso portrait architecture architect theatre opera ballet stage play',
  food_trivia: 'jaffa breadsticks cuisine michelin chef flavour recipe delicacy',
  records:
    'record tallest fastest oldest longest heaviest biggest world guinness champion winner olympic highest first',
  jokes: 'joke jokes funny pun lol haha comeback meme sarcasm riddle laugh',
  figures: 'metaphor figuratively idiom proverb saying like literally symbol',
  organisations: 'un nato eu who ngo union foundation committee agency bureau',
  brands: 'ikea tesla apple google microsoft amazon nike coca-cola lego sony samsung toyota thule',
  cities:
    'london paris berlin rome madrid vienna tokyo york amsterdam prague lisbon zurich hamburg munich leipzig bremen rostock kew antwerp lyon',
  jobs: 'plumber carpenter farmer pilot nurse firefighter beekeeper chef actor teacher journalist',
};
