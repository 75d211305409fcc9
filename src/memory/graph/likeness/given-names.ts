/** First names that are one name: the full form and what people make of it. */
const SHORT_FORMS = `
  alexander alex sasha sascha xander sandro aleks sander lex alec alejandro alessandro | alexandra alex sasha sandra xandi xandra lexi alessandra sandy
  andrew andy drew andreas andi andre andrei andrey anders | anthony tony anton antonio toni | antonia toni nia
  anna ann annie anni anja anya nan nancy hanna hannah | anne annie ann | annette netti
  barbara barb babs bärbel barbie | benjamin ben benji benny benno | bernard bernie bernhard bernd
  charles charlie chuck chaz karl carl carlos | charlotte lottie charlie lotte charly
  christopher chris kit christoph topher | christine chris chrissy tina christina kristina | christian chris kris
  catherine katherine kathryn kathrin katrin cathy kathy kate katie katy kat kitty katharina katja kati katarina katya ekaterina
  daniel dan danny dani | danielle dani daniela ela | david dave davey davie | deborah deb debbie | dmitri dima mitya dmitry
  darya dasha daria | dorothy dot dottie dorothea dora thea | edward ed eddie ted teddy ned eduard edu eduardo
  elizabeth liz lizzie beth betty eliza elisabeth lisa elsa bess betsy libby lisbeth sissi lise liesl | eleanor ellie nell nora leonore elena
  emily em emmy emilia milly | emmanuel manny manu | eugene gene evgeny zhenya | evelyn evie eva | francis frank fran franz francisco paco pancho francesco franco frankie
  frances fran francesca franziska franzi frankie fanny | frederick fred freddie friedrich fritz frederik federico | gabriel gabe gabi | gabriele gabi gaby gabriella
  george georgie georg jorge jürgen schorsch giorgos yorgos | gerald gerry jerry | gerard gerry | giovanni gianni nanni vanni gio | giuseppe beppe peppe pino
  gregory greg gregor grzegorz | guillermo memo guille | hannelore hanne lore hanni | helen nell nellie elena helena lena | henry harry hank hal heinrich heinz hendrik henk rik
  ian iain | ignacio nacho ignatius iñaki nachete | isabel bella izzy isa isabella isabelle belle | ivan vanya wanja | jacob jake jakob jack kuba jacques jaap jaak yakov
  james jim jimmy jamie jaime diego | jane janie jenny | janet jan | jennifer jen jenny jenn | jessica jess jessie | joanna jo joan asia johanna hanna hanne
  johannes hans hannes johann jan jo | john jack johnny jon jan ian ivan juan jean | jonathan jon jonny john jonas | joseph joe joey josef sepp jose pepe beppe jupp joschi
  josé pepe josep | josephine josie jo fifi | joshua josh | judith judy jutta | julia julie jule juli yulia | juliana liana jules | katarzyna kasia
  kenneth ken kenny | konstantin kostya kosta konsti | laurence larry lawrence laurie lars lorenz | leonard leo len lenny leonhard leonardo | leopold leo poldi
  louis lou louie ludwig luis luigi gigi | louise lou lulu | lucas luke luca lukas luc | lucy lucia luzia lucía | magdalena lena magda leni madeleine maddie magdalene malena
  małgorzata gosia małgosia | manuel manu manolo | margaret margarethe maggie meg peg peggy marge margie greta rita daisy margarete gretel margarita margot gretchen madge
  maria mia mary marie mitzi ria maja | mariana nana | martha marty patty | martin marty tino | matthew matt matty matthias matze mathieu mateo mats matteo | maximilian max maxi maks
  maximiliane maxi | michael mike mick mickey mikey michel mischa misha miguel mikhail michi micha mikkel | michelle shelly micki | mohammed mo muhammad mohamed
  nathaniel nat nate nathan | nicholas nick nicky nico klaus nikolaus nikolai kolya niklas claus nils niko | nicole nicky nic nico | oliver ollie olli noll
  olga olya | oksana ksenia | pamela pam | patricia pat patty trish tricia patsy | patrick pat paddy patricio | paul pauly pablo pavel paolo pasha | peter pete piet pedro petr pietro petya
  philip phil pip philipp filip felipe | philippa pippa pip | rachel rach rachael raquel | raphael rafa rafael raf | raymond ray | rebecca becky becca beck bex reba rebekka
  richard rick dick richie ricky rich rico ricardo | robert rob bob bobby robbie bert robin roberto bertie rupert | roland rolly | ronald ron ronnie | rosemary rosie rose
  roderick rod roddy | rodrigo rigo | samuel sam sammy | samantha sam sammy | sarah sally sadie sara | sebastian seb basti bastian bas wastl | sergei seryozha sergey serge sergio
  siegfried siggi sigi | simon si simone | sofia sophie sonja sofie sonya fia | solomon sol | stanislav stas slava | stephen steve steven stefan stevie stephan steffen esteban istvan
  stephanie steph steffi stefanie stevie | susan sue susie suzy susanne susanna suse sanne zuzana | svetlana sveta lana | tatiana tanya tania tatjana
  teresa terry tess tessa theresa resi therese maite | terence terry | theodore ted theo teddy theodor | thomas tom tommy tomas thom tomasz | timothy tim timmy timo | tobias toby tobi
  ursula uschi ulla ursel | valentina valya tina | veronica ronnie vera nika | victor vic vik viktor | victoria vicky tori vic vika viktoria | vincent vince vinny vinz vincenzo enzo
  vladimir vova volodya vlad | walter walt wally wat | wilhelmina mina minna willa billie | william bill will billy willy liam wilhelm willem guillaume wim helmut
  wolfgang wolf wolfi wolle | zachary zach zack | yevgenia zhenya | jadwiga jadzia | agnieszka aga | bartholomew bart | bartosz bartek | joaquín quino kino joaquin | concepción concha conchita
  dolores lola loli | jesús chuy chus | francisca paca | lourdes lulu | mercedes merche | rosario charo | santiago santi chago yago | enrique kike quique | antonina nina tonya | ludmila mila lyuda
  ibrahim ibo abraham abe | abigail abby gail | albert al bert alberto | alfred fred alf alfie freddy | alan al | allison ally ali alison | amanda mandy | angela angie geli | archibald archie
  arthur art artie | augustus gus august | beatrice bea trixie beatrix | cornelius conny cornelis kees neil | cornelia conny nele | constance connie | cynthia cindy | donald don donnie
  douglas doug | duncan dunc | ernest ernie ernst | florence flo flossie | geoffrey geoff jeff jeffrey | gertrude trudy gertrud trude | gwendolyn gwen | harold harry hal harald | hubert bert hubsi
  irene renie ira irina | jeremy jem jerry | kimberly kim | leslie les | lillian lily lilian lil | lorraine lori | lydia lyd | marjorie marge | marcus mark marc markus marco | melanie mel melli
  melissa mel missy | mildred millie | miranda randy mandy | mitchell mitch | natalie nat talia natalia natasha nataliya nadja | norman norm | penelope penny | priscilla cilla | reginald reg reggie
  rudolf rudi rolf | russell russ | sylvia syl silvia | tabitha tabby | ulrich uli ulli | ulrike ulli uli rike | urban ban | valerie val | virginia ginny | vivian viv | winifred winnie freda | yvonne eve
`;

const GROUPS: readonly ReadonlySet<string>[] = SHORT_FORMS.split(/[|\n]/u)
  .map((group) => group.trim())
  .filter((group) => group !== '')
  .map((group) => new Set(group.split(/\s+/u).map(plain)));

const groupsByName = new Map<string, number[]>();
for (const [index, group] of GROUPS.entries()) {
  for (const name of group) groupsByName.set(name, [...(groupsByName.get(name) ?? []), index]);
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '');
}

/** Whether one is what people make of the other, as far as anybody wrote down. */
export function isShortForm(left: string, right: string): boolean {
  const known = groupsByName.get(plain(left)) ?? [];
  return known.some((index) => GROUPS[index]?.has(plain(right)) === true);
}

/** First names that differ by their ending are two people's (Anna and Anne, Rashid and Rashida), not one misspelt. */
export function areTwoNames(left: string, right: string): boolean {
  const [a, b] = [plain(left), plain(right)].sort((one, other) => one.length - other.length);
  if (a === undefined || b === undefined || a === b) return false;
  const isEnding = /^(?:[aeiou]|ne|na|an|in|ine|ina|le|ia|io)?$/u;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same >= 2 && isEnding.test(a.slice(same)) && isEnding.test(b.slice(same));
}

/** Everything a first name may be said as, itself left out. */
export function shortFormsOf(name: string): string[] {
  const own = plain(name);
  const forms = (groupsByName.get(own) ?? []).flatMap((index) => Array.from(GROUPS[index] ?? []));
  return [...new Set(forms)].filter((form) => form !== own);
}
