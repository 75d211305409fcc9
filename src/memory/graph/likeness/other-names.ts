import { spellings } from './spelling.ts';

/** Things with two common names; places in two languages, and short names of programs. */
const OTHER_NAMES = `
  kubernetes, k8s, kube | postgresql, postgres, pg | javascript, js, ecmascript | typescript, ts
  visual studio code, vs code, vscode | terraform, tf | ripgrep, rg | github actions, gha | openstreetmap, osm
  accessibility, a11y | internationalization, i18n, internationalisation | localization, l10n, localisation
  elasticsearch, elastic search | amazon web services, aws | google cloud platform, gcp, google cloud
  microsoft azure, azure | mongodb, mongo | golang, go lang, go language | continuous integration, ci
  artificial intelligence, ai | machine learning, ml | natural language processing, nlp
  large language model, llm | user experience, ux | user interface, ui | quality assurance, qa
  world wide web, www | new york, new york city, nyc, ny | san francisco, sf | los angeles, la
  united kingdom, uk, great britain | united states, usa, us, united states of america | munich, münchen
  vienna, wien | cologne, köln | nuremberg, nürnberg | prague, praha, prag | warsaw, warszawa, warschau
  cracow, kraków, krakau, krakow | rome, roma, rom | milan, milano, mailand | florence, firenze, florenz
  venice, venezia, venedig | naples, napoli, neapel | turin, torino | genoa, genova, genua
  lisbon, lisboa, lissabon | seville, sevilla | geneva, genève, genf | zurich, zürich | basel, basle, bâle
  bern, berne | brussels, bruxelles, brussel, brüssel | antwerp, antwerpen, anvers | ghent, gent, gand
  bruges, brugge | the hague, den haag | copenhagen, københavn, kopenhagen | gothenburg, göteborg
  moscow, moskva, москва, moskau | saint petersburg, st petersburg, petersburg, sankt petersburg
  kyiv, kiev, kijiw | lviv, lwów, lemberg, lvov | athens, athina, athen, αθήνα | thessaloniki, saloniki
  bucharest, bucurești, bukarest | belgrade, beograd, belgrad | bratislava, pressburg | gdansk, gdańsk, danzig
  wroclaw, wrocław, breslau | hanover, hannover | brunswick, braunschweig | beijing, peking, 北京
  tokyo, 東京, tokio | mumbai, bombay | chennai, madras | kolkata, calcutta | istanbul, constantinople
  cairo, kairo | germany, deutschland | austria, österreich | switzerland, schweiz, suisse
  spain, españa, spanien | italy, italia, italien | france, frankreich | poland, polska, polen
  greece, griechenland, hellas | sweden, sverige, schweden | norway, norge, norwegen
  denmark, danmark, dänemark | finland, suomi, finnland | netherlands, nederland, niederlande, holland
  belgium, belgique, belgien | hungary, magyarország, ungarn | twitter, x | facebook, meta
  black forest, schwarzwald | lake constance, bodensee | vienna woods, wienerwald | danube, donau
  rhine, rhein | tuscany, toscana, toskana | bavaria, bayern | saxony, sachsen
  lower austria, niederösterreich | styria, steiermark | tyrol, tirol
  catalonia, catalunya, cataluña, katalonien | basque country, euskadi, baskenland, país vasco
  bbc, british broadcasting corporation | operating system, os | operating room, or, operating theatre, op
  intensive care unit, icu, intensive care | emergency room, er, a&e | physical education, pe
  special educational needs, sen | common agricultural policy, cap | dungeons & dragons, dnd, d&d
  role-playing game, rpg | digital audio workstation, daw | non-player character, npc
`;

const GROUPS = OTHER_NAMES.split(/[|\n]/u)
  .map((group) => group.trim())
  .filter((group) => group !== '')
  .map((group) => new Set(group.split(',').flatMap(spellings)));

export function areOtherNames(left: string, right: string): boolean {
  const [ours, theirs] = [spellings(left), spellings(right)];
  return GROUPS.some((group) => ours.some((form) => group.has(form)) && theirs.some((form) => group.has(form)));
}
