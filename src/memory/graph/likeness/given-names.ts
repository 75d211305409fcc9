import { spellings } from './spelling.ts';

/** First names that are one name: the full form, what people make of it, and what it is in other languages. */
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
  richard dickon dick | jakub kuba | guadalupe lupe lupita | beatriz bia bea | ana anita aninha | francisca pancha paquita francisquinha chica | francisco chico kiko curro
  josé zé zeca | joão joãozinho jango | luís lucho | alberto beto | roberto beto | gilberto beto giba | eduardo lalo dudu | gonzalo chalo | gustavo tavo guga | hernán nano
  ricardo cacho richi | raúl rulo | salvador chava | rafael rafa fael | rosa rosita | teresa tere teté | consuelo chelo | graciela chela | graça gracinha | isabel chabela | josefina pepa fina
  maría mari marica maruja | margarita márgara marga | pilar pili | soledad sole | encarnación encarna | ascensión chon | inmaculada inma | montserrat montse | maría-josé majo cote coté
  maría-jesús chus | maría-teresa maite | jordi jorge george | joan john juan | pere peter pedro | iker | xabier xabi javier javi | gorka jorge | alejandra jana ale sandra | fernanda nanda fer | fernando nando fer
  leonardo léo leo | antônio tonho toninho antónio tó | sebastião tião | severino biu | benedito bené dito | vicente chente | ernesto neto teto | arturo turo | daniela dani | marcelo celo | mauricio mau
  aleksandra ola aleks | andrzej andrew jędrek | anna ania anka hania | barbara basia | bartłomiej bartek | bogusław bodzio | dorota dorotka | elżbieta ela elizabeth | ewa ewka eve | franciszek franek
  grzegorz grzesiek grzes | halina hala | henryk heniek | irena irka | jan janek jaś john | jerzy jurek george | joanna asia aśka | józef józek joseph | justyna justa | karolina karo | katarzyna kaśka kaska katherine
  krystyna krysia christina | krzysztof krzysiek krzyś christopher | maciej maciek matthias | magdalena magda | marcin martin | maria marysia maryla | mateusz mati matthew | michał misiek michael | mieczysław mietek
  paweł pawełek paul | piotr piotrek peter | ryszard rysiek richard | sławomir sławek | stanisław staszek stach | stefan stefek stephen | tadeusz tadek | teresa terenia | tomasz tomek | wacław wacek | wiesław wiesiek
  władysław władek | wojciech wojtek adalbert | zbigniew zbyszek | zofia zosia sophie | zdzisław zdzisiek | agata agatka | beata beatka | ludmiła ludka | marek mark | danuta danka | grażyna grażka
  aleksei alexey alyosha lyosha alexis oleksiy | anastasia nastya asya stacy | anatoly tolya | arkady arkasha | boris borya | denis | dmytro dmitri dima dimitri mitya | yekaterina katya | elena lena alyona olena | evgeny yevhen eugene zhenya
  galina galya halyna | grigory grisha hryhoriy | igor ihor | ilya ilyusha elijah | ivan vanya john | kirill kirya cyril kyrylo | konstantin kostik | lev lyova leo | larisa lara | leonid lyonya | lyubov lyuba | maksim max
  margarita rita | marina | mikhail mykhailo misha michael | nadezhda nadya hope nadiya | nikita | nikolai mykola kolya nicholas | oleg oleh | oleksandr alexander sasha sashko olexander aleksandr | oleksandra alexandra sasha lesya | pavel pavlo pasha paul
  petro peter petya | pyotr petya peter | roman roma | ruslan rusik | semyon syoma simon | sergei serhiy serhii seryozha | sofia sonya sofiya | stepan styopa stephen | tamara toma | timofey tima timothy | vadim vadik
  valery valera valeriy | vasily vasya vasyl basil | vera verochka | viktor vitya | vladislav vlad vladik | vladimir volodymyr vova vovka | vitaly vitalik vitaliy | vyacheslav slava | yakov yasha jacob | yaroslav yarik slavko | yulia yulya | yuri yura yuriy george | zinaida zina
  áron | andrás andris bandi andrew | erzsébet erzsi bözsi elizabeth | ferenc feri francis | györgy gyuri george | ilona ili ica | imre | istván pista isti stephen | jános jani jancsi john | józsef józsi joseph | katalin kati | lászló laci | margit | mária mari | mihály misi michael
  miklós miki nicholas | sándor sanyi alexander | zsófia zsófi | zsuzsanna zsuzsa zsuzsi susanna | zoltán zoli | gábor gabi gabriel | péter peti | tamás tomi | bálint | attila ati
  ioannis giannis yannis john | dimitrios dimitris mitsos jimmy | konstantinos kostas dinos costas | georgios giorgos yiorgos george | nikolaos nikos nicholas | panagiotis panos takis | aikaterini katerina | eleni helen lena | evangelos vangelis | vasilios vasilis bill | athanasios thanasis thanos | spyridon spyros
  anastasios tasos | christos | emmanouil manolis | michail michalis michael | paraskevi vivi voula | theodoros thodoris ted | charalambos babis haris | stavroula voula | sotirios sotiris | apostolos tolis
  alexandru alex sandu | ion ionut ionel john | gheorghe gigi george | constantin costel costi | ștefan fane stephen | mihai michael | elena lenuța | ecaterina cati | vasile basil | dumitru mitică dimitri
  padraig patrick paddy pat padraic | siobhan joan shevaun shivaun shivon chevonne | sean john shane shaun shawn | seamus james shamus | liam william uilliam | maire mary maura moira maureen | caoimhe keeva kiva | niamh neve neave nieve | aoife eefa eva | eoin owen ian john | eoghan owen eugene | tadhg tim timothy tighe | ruairi rory | sinead jane janet | cathal charles cahal | brid bridget breda biddy bridie | mairead margaret | micheal michael | diarmuid dermot | donncha denis donough | grainne grania | oisin osheen | saoirse sersha seersha | ciaran kieran | meabh maeve | aine anya | peadar peter | eamon edmund edward ned | nuala fionnuala finola | proinsias francis frank | roisin rosheen rose | colm colum | domhnall donal donald | conchobhar connor conor
  iain ian john | hamish james seumas | eilidh helen ailie | catriona catherine katrina | ewan euan owen | alasdair alistair alexander ally | angus gus aonghas | ishbel isobel elizabeth | mairi mary | morag sarah | calum malcolm | dafydd david dai | ieuan john evan | gwilym william | sian jane | llewelyn lyn | rhys reese
  anders andrew | bengt benedict | björn bjorn bear | erik eric | fredrik fred | gunnar | håkan haakon | ingeborg inga bolla | jens johannes | jonas | jörgen george | karin katarina kajsa | kristoffer kris stoffe | lars lasse laurence | lennart leonard | margareta greta maggan | mikael micke michael | nils niels nicholas | olof olle olav ole ola | per pelle peter pär | sigurd siggi sigurdur | stig | sven | torbjörn tobbe | ulf uffe | guðmundur gummi | guðrún gunna | jón nonni john | magnús maggi | kristján stjáni | juhani jussi john | johannes juha | mikko michael | pekka pekke peter | yrjö george | heikki henrik | matti matthew | kaarina kaisa | marjatta marja
  adrianus adriaan ad arie | antonius ton toon anton tonny | bartholomeus bart | cornelia corrie nel | elisabeth els bep lies betje | gerardus gerard gerrit ger | geertruida truus geertje | hendrik henk hein henry | hendrika riek rika | jacobus koos jaap ko | johannes jan hans joop johan | johanna jo joke annie hanneke | josephus jos sjef | lambertus bert | maria mieke marijke ria miep | marinus rinus | nicolaas klaas niek | petronella nel petra | petrus piet | pieter piet peter | theodorus theo dorus | wilhelmus wim willem | wilhelmina mien willy mina
  andreas andi | antonia toni | benedikt bene | dieter | dietmar didi | dominik domi nick | eberhard ebi | elfriede friedl | friederike rike fritzi | georg schorsch | gottfried friedl | günther günni | hans-peter hp hape | hans-jürgen hajo | hildegard hilde | ingeborg inge | irmgard irmi | johannes hannes | josefine josi | karl-heinz kalle | katharina kathi käthe trine | klaus-dieter | korbinian korbi | leonhard hartl | lieselotte lilo lotte | magdalena leni | manfred manni fredi | margarete grete gretl | matthias hias matze | reinhard reini | reinhold | rosemarie romy | roswitha rosi | sabine bine sabsi | sibylle bille | simone moni | susanne susi | thaddäus teddy | vinzenz zenz | waltraud traudl | werner | wilfried willi | xaver xaverl
  alessandra sandra ale | alessandro ale sandro | antonio tonino totò | caterina rina cate | domenico mimmo nico | elisabetta betta | ferdinando nando | francesco ciccio checco | gaetano tano | gennaro rino | giacomo | giovanna gianna vanna | giulia giuly | giuseppina pina | ignazio gnazio | lorenzo renzo lollo | ludovico vico | luigi gino | marcello | michele miki | margherita rita | pasquale lino | raffaele lello | salvatore totò turi sasà | sebastiano bastiano | stefania stefi | vittorio | valentino tino | vincenza enza
  aurélie lili | bénédicte béné | bernadette bernie detta | christophe tof | dominique dom | éléonore léo | émilie mimi | fabienne fab | frédéric fred | gabrielle gaby | geneviève ginette gen | guillaume gui | jean-baptiste jb jean-ba | jean-claude jc | jean-françois jeff jf | jean-pierre jp | jacqueline jackie | joséphine jo fifine | madeleine mado | marguerite margot | marie-claire mc | mathilde tilde | maxime max | nathalie nath | nicolas nico | philippe philou | sébastien seb | stéphane steph | thierry titi | véronique véro | yannick yann
  abdullah abdallah apo | abdulrahman abdurrahman rahman | ahmed ahmet hamada ahmad | ali | aylin | ayşe aysha aisha ayesha | fatma fatima fatoş fatimah | hasan hassan | hüseyin hussein husain hossein | ibrahim ebrahim | ismail ismael ishmael | khadija hatice khadijah | mahmoud mahmut | maryam meryem mariam miriam mary | mehmet mohammed memo mehmed | mohammed muhammet mohammad hamada | musa moses moussa | mustafa mostafa musti | omar ömer umar | osman uthman othman | süleyman suleiman solomon | yusuf yousef youssef joseph josef yossi | yakup yaqub jacob | yahya john | yunus jonah | zeynep zainab zaynab | emine amina | elif | selim salim | murat murad | leyla layla leila | cem jem | recep rajab | gülşen gül | tayfun
  avraham abraham avi | binyamin benjamin bibi | chaim haim hayim | david dudi dudu | dov | eliezer eli | elisheva elizabeth sheva | esther esti | gavriel gabi gabriel | menachem mendel | michal | miriam miri | moshe moishe moses | natan nathan | rivka rebecca riki | sara sarah sari | shimon simon shimi | shlomo solomon | shmuel samuel shmulik | shoshana susan shoshi | tzipora tzipi | yaakov jacob kobi | yehuda judah yudi | yitzhak isaac itzik | yochanan john | yonatan jonathan yoni | yosef joseph yossi | zeev
  abhishek abhi | aditya adi | ananya anu | aniruddha ani | aparna appu | ashwin ash | balasubramanian bala balu | chandrasekhar chandra shekhar sekhar | deepak deepu | dhananjay dj | ganesh ganu | gopalakrishnan gopal gopi | harikrishnan hari | jayalakshmi jaya | jagadish jaggu | karthikeyan karthik | krishnamurthy krishna murthy kittu | lakshmi laxmi lakku | mahalakshmi maha | manjunath manju | meenakshi meena | mukesh | narayanan nari | padmanabhan paddu padma | parthasarathy partha sarathy | prabhakar prabhu | pradeep deepu | pushpalatha pushpa | radhakrishnan radha | rajagopal raju raja | rajendra raju rajan | rajesh raju | ramachandran ram chandran | ramakrishnan ramki | sanjay sanju | saraswati saras | satyanarayana satya | siddharth sid | srinivasan srini vasu seenu | subramanian subbu mani subramaniam | sudarshan | sundaram sundar | swaminathan swami | umamaheswari uma | varalakshmi vara | venkatesh venky venkat venkataraman | vijayalakshmi viji vijaya | vishwanath vishu | gurpreet guri | harpreet harry | jaswinder jassi | manpreet mani | sukhwinder sukhi
  adebayo bayo | adebola bola | adekunle kunle | adewale wale | ayodele ayo dele | babatunde tunde | folasade sade | ifeoluwa ife | olabisi bisi | oluwafemi femi olufemi | oluwaseun seun | oluwatobi tobi | oluwatoyin toyin | oluwakemi kemi | omolara lara | temitope temi tope | titilayo titi | yetunde yeti | chiamaka amaka | chidiebere chidi | chinedu nedu edu | chinonso nonso | chinwe | chukwudi chudi | chukwuemeka emeka | ezinne | ifeanyi ify | ikechukwu ike iyke | kenechukwu kene | nkechi kechi | nnamdi | obinna obi | ogechukwu oge | onyekachi kachi | uchenna uche | ugochukwu ugo | akosua esi | kwabena kobby | kwadwo kojo | kwasi kwesi | tendai tendi | thabo | nompumelelo mpumi | sibusiso sbu | siyabonga siya | thandiwe thandi | themba | nokuthula thuli | lerato rato | tshepo | kamogelo kamo | wanjiku shiku | njoroge | wambui | kipchoge
`;

/** A name and what other languages make of it; those are not names of one another. */
const IN_OTHER_LANGUAGES = `
  rebecca rebeka rebekah rivka | susan zsuzsa | katherine caitlin catalina katrine kathleen | elizabeth elspeth elisa isabel yelizaveta
  matthew matej matija mateusz | george jiri jordi jerzy yuri | john jovan johan jens hannu sean yahya janos yochanan eoin
  michael mihail mikael mihaly michal | stephen stevan stjepan stepan stefano istvan | joseph josip jozef yusuf yosef jozsef | james giacomo seamus hamish
  alexander iskander aleksandar alasdair sandor oleksandr | eugene eugen evgeni eugenio yevhen | helen jelena ilona eleni olena | peter petar pekka piotr petro
  paul paavo pal pavlo pawel | francis ferenc frans franciszek | lawrence lorenzo laurent lavrenty lars | luke lukasz luka | mark marek marcos
  mary marija mariya maryam maire mairi | anna ana hana anneli | christina kirsten kirsti krystyna | thomas tuomas foma tamas | andrew andrej andriy ondrej andras andrzej
  nicholas mykola nikolaos miklos | theodore fyodor todor theodoros | basil vasyl vasile vasilios | gregory grigory hryhoriy | martin marcin marton | solomon shlomo suleiman
  abraham avraham ibrahim | jacob yakov yaakov yakup | isaac yitzhak ishaq | moses moshe musa | samuel shmuel | sophie zofia sofiya | eve ewa chava | margaret malgorzata mairead margit
`;

function groupsOf(table: string): string[][] {
  return table
    .split(/[|\n]/u)
    .map((group) => group.trim())
    .filter((group) => group !== '')
    .map((group) => group.split(/\s+/u).map(plain));
}

const GROUPS: readonly ReadonlySet<string>[] = [
  ...groupsOf(SHORT_FORMS),
  ...groupsOf(IN_OTHER_LANGUAGES).flatMap(([first = '', ...others]) => others.map((other) => [first, other])),
].map((group) => new Set(group));

const groupsByName = new Map<string, number[]>();
for (const [index, group] of GROUPS.entries()) {
  for (const name of group) groupsByName.set(name, [...(groupsByName.get(name) ?? []), index]);
}

function plain(name: string): string {
  return spellings(name)[0] ?? name.toLowerCase();
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
