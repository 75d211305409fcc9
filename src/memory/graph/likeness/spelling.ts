import { editDistance } from '../../../model/edit-distance.ts';
import { foldName } from '../../stores/registry/names.ts';

/** Umlauts and ring letters as people without those keys type them. */
function typedOut(name: string): string {
  return name
    .normalize('NFC')
    .replaceAll(/[äæ]/giu, 'ae')
    .replaceAll(/[öø]/giu, 'oe')
    .replaceAll(/ü/giu, 'ue')
    .replaceAll(/å/giu, 'aa')
    .replaceAll(/ı/gu, 'i')
    .replaceAll(/ß/gu, 'ss');
}

/** Every way a name may have been written down, without space, hyphen and case; the first is the plainest. */
export function spellings(name: string): readonly string[] {
  const plain = toLatin(name.replaceAll('ı', 'i'));
  const forms = [foldName(plain), foldName(toLatin(typedOut(name))), foldName(toLatin(name, true)), foldName(name)];
  return [...new Set(forms.map((form) => form.replaceAll(/[^\p{L}\p{N}+#]/gu, '')).filter((form) => form !== ''))];
}

export function isSameSpelling(left: string, right: string): boolean {
  const known = new Set(spellings(left));
  return spellings(right).some((form) => known.has(form));
}

/** The shortest word in which one slip is more likely than another word, and in which two are. */
const MIN_ONE_SLIP = 4;
const MIN_TWO_SLIPS = 8;

/** The number of typing errors between two words; undefined when there are more than a word of that length has. */
export function slipsBetween(left: string, right: string): number | undefined {
  const [a, b] = [spellings(left)[0] ?? '', spellings(right)[0] ?? ''];
  const length = Math.min(a.length, b.length);
  const limit = length >= MIN_TWO_SLIPS ? 2 : length >= MIN_ONE_SLIP ? 1 : 0;
  const distance = Math.min(
    editDistance(a, b, limit),
    length >= MIN_ONE_SLIP ? 1 + editDistance(soundOf(a), soundOf(b), limit) : limit + 1,
  );
  return distance <= limit ? distance : undefined;
}

const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ksh|x/gu, 'ks'],
  [/schtsch|shch|szcz/gu, '5'],
  [/tsch|tch|cz|tsh/gu, '4'],
  [/sch|sh|sz|sj|zh/gu, '3'],
  [/chr/gu, 'kr'],
  [/ch/gu, '4'],
  [/ph/gu, 'f'],
  [/igh/gu, 'i'],
  [/([tdgkb])h/gu, '$1'],
  [/ck|que?(?=$)|q|c(?=[aoukrlt]|$)/gu, 'k'],
  [/c/gu, 's'],
  [/tz|ts|z/gu, 's'],
  [/dj/gu, 'j'],
  [/w/gu, 'v'],
  [/oo|ou/gu, 'u'],
  [/ee|ie|[iyj]+/gu, 'i'],
  [/(.)\1+/gu, '$1'],
  [/(?<=.)h/gu, ''],
];

/** Letters that are heard alike, as one: `Graphana` is `Grafana` to whoever only heard it. */
function soundOf(word: string): string {
  let sound = word;
  for (const [letters, heard] of SOUNDS) sound = sound.replaceAll(letters, heard);
  return sound;
}

function consonantsOf(sound: string): string {
  return sound.charAt(0).replace(/[aeiou]/u, 'a') + sound.slice(1).replaceAll(/[aeiou]/gu, '');
}

const MIN_CONSONANTS = 3;
const MIN_HEARD_LENGTH = 5;

/**
 * Whether two words are one to the ear: written down by somebody who heard it, or carried over from another alphabet.
 * Vowels are what differs most between those.
 */
export function soundsLike(left: string, right: string): boolean {
  const [heardLeft, heardRight] = [spellings(left).map(soundOf), spellings(right).map(soundOf)];
  const isBare = isWrittenWithoutVowels(left) !== isWrittenWithoutVowels(right);
  return heardLeft.some((one) =>
    heardRight.some((other) => {
      if (one === other) return one.length >= MIN_ONE_SLIP;
      const [a, b] = [consonantsOf(one), consonantsOf(other)];
      if (isBare) return a.slice(1).length >= 1 && a.replaceAll(/[aiv]/gu, '') === b.replaceAll(/[aiv]/gu, '');
      const length = Math.min(one.length, other.length);
      const isLong = length >= MIN_HEARD_LENGTH && a.length >= MIN_CONSONANTS;
      return isLong && a === b && editDistance(one, other, 2) <= 2 && one.at(-1) === other.at(-1);
    }),
  );
}

/** Names of other alphabets in Latin letters, as far as that can be told letter by letter. */

function tableOf(pairs: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs
      .trim()
      .split(/\s+/u)
      .map((pair) => [pair.charAt(0), pair.slice(1)]),
  );
}

const CYRILLIC = tableOf(
  'аa бb вv гg дd еe ёe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya іi їyi єye ґg ўu ђdj јj љlj њnj ћc џdz',
);
/** Where Ukrainian says it otherwise. */
const UKRAINIAN = tableOf('гh иy');

const GREEK = tableOf('αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo');
/** Pairs of Greek letters that are one sound. */
const GREEK_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/ου/gu, 'u'],
  [/[αε]υ/gu, 'av'],
  [/γγ/gu, 'ng'],
  [/μπ/gu, 'b'],
  [/ντ/gu, 'd'],
];

/** Vowels are mostly not written; whoever compares these compares consonants. */
const ARABIC = tableOf(
  'اa أa إi آa ءa ئi ؤu بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz ع غgh فf قq كk لl مm نn هh وw يy ىa ةa پp چch ژzh گg کk یy',
);
const HEBREW = tableOf('אa בb גg דd הh וv זz חch טt יi כk ךk לl מm םm נn ןn סs ע פp ףf צts ץts קk רr שsh תt');

const KANA = tableOf(
  'あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto なna にni ぬnu ねne のno はha ひhi ふfu へhe ほho まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa をo んn がga ぎgi ぐgu げge ごgo ざza じji ずzu ぜze ぞzo だda ぢji づzu でde どdo ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo',
);
const SMALL_KANA = tableOf('ゃya ゅyu ょyo');

/** The family names and the characters of given names that most people in China bear. */
const HAN = tableOf(`
  王wang 李li 张zhang 張zhang 刘liu 劉liu 陈chen 陳chen 杨yang 楊yang 赵zhao 趙zhao 黄huang 黃huang 周zhou 吴wu 吳wu 徐xu 孙sun 孫sun 胡hu 朱zhu
  高gao 林lin 何he 郭guo 马ma 馬ma 罗luo 羅luo 梁liang 宋song 郑zheng 鄭zheng 谢xie 謝xie 韩han 韓han 唐tang 冯feng 馮feng 于yu 董dong 萧xiao 肖xiao
  程cheng 曹cao 袁yuan 邓deng 鄧deng 许xu 許xu 傅fu 沈shen 曾zeng 彭peng 吕lü 呂lü 苏su 蘇su 卢lu 盧lu 蒋jiang 蔣jiang 蔡cai 贾jia 丁ding 魏wei 薛xue
  叶ye 葉ye 阎yan 余yu 潘pan 杜du 戴dai 夏xia 钟zhong 鍾zhong 汪wang 田tian 任ren 姜jiang 范fan 方fang 石shi 姚yao 谭tan 廖liao 邹zou 熊xiong 金jin 陆lu
  郝hao 孔kong 白bai 崔cui 康kang 毛mao 邱qiu 秦qin 江jiang 史shi 顾gu 侯hou 邵shao 孟meng 龙long 万wan 段duan 雷lei 钱qian 汤tang 尹yin 黎li 易yi
  伟wei 芳fang 娜na 秀xiu 英ying 敏min 静jing 丽li 强qiang 磊lei 军jun 洋yang 勇yong 艳yan 杰jie 娟juan 涛tao 明ming 超chao 霞xia 平ping 刚gang 桂gui
  兰lan 红hong 梅mei 玲ling 燕yan 华hua 文wen 建jian 国guo 志zhi 海hai 小xiao 晓xiao 春chun 玉yu 云yun 莉li 婷ting 雪xue 琳lin 晨chen 欣xin 怡yi 佳jia
  宇yu 浩hao 天tian 思si 雨yu 子zi 涵han 轩xuan 博bo 俊jun 鹏peng 飞fei 凯kai 斌bin 峰feng 亮liang 波bo 辉hui 龙long 宁ning 慧hui 颖ying 洁jie 倩qian
  萍ping 蓉rong 雯wen 月yue 美mei 珍zhen 凤feng 爱ai 永yong 家jia 德de 新xin 东dong 学xue 庆qing 光guang 立li 正zheng 安an 兴xing 振zhen 荣rong 生sheng
`);

const INITIALS = 'g kk n d tt r m b pp s ss . j jj ch k t p h'.split(' ');
const MIDDLES = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ');
const FINALS = '. k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');
const FIRST_SYLLABLE = 0xac00;

/** Family names that are not written by the rule. */
const KOREAN_NAMES = tableOf(
  '김kim 이lee 박park 최choi 정jung 조cho 강kang 윤yoon 임lim 신shin 오oh 전jeon 노noh 유yoo 문moon',
);

/** Korean syllables are made of their letters by rule. */
function hangul(syllable: string): string {
  const index = (syllable.codePointAt(0) ?? FIRST_SYLLABLE) - FIRST_SYLLABLE;
  const perInitial = MIDDLES.length * FINALS.length;
  const parts = [
    INITIALS[Math.floor(index / perInitial)],
    MIDDLES[Math.floor((index % perInitial) / FINALS.length)],
    FINALS[index % FINALS.length],
  ];
  return parts.join('').replaceAll('.', '');
}

function kana(text: string): string {
  return text
    .replaceAll(/[ァ-ヶ]/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x60))
    .replaceAll(/([きしちにひみりぎじびぴ])([ゃゅょ])/gu, (_, first: string, second: string) =>
      `${(KANA[first] ?? first).slice(0, -1)}${SMALL_KANA[second] ?? second}`.replace(/(sh|ch|j)y/u, '$1'),
    )
    .replaceAll(/っ(.)/gu, (_, next: string) => `${(KANA[next] ?? '').charAt(0)}${next}`)
    .replaceAll('ー', '')
    .replaceAll(/(?<=[おこそとのほもよろごぞどぼぽょうくすつぬふむゆるぐずぶぷゅ])う/gu, '')
    .replaceAll(/[ぁ-ん]/gu, (letter) => KANA[letter] ?? letter);
}

/** Lower case, without marks, in Latin letters. */
function toLatin(name: string, isUkrainian = false): string {
  let text = kana(name.normalize('NFC'))
    .replace(/^[가-힣]/u, (family) => KOREAN_NAMES[family] ?? hangul(family))
    .replaceAll(/[가-힣]/gu, hangul);
  text = text
    .replaceAll(/\p{Script=Han}/gu, (letter) => HAN[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
  for (const [pair, sound] of GREEK_PAIRS) text = text.replaceAll(pair, sound);
  return text.replaceAll(
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/gu,
    (letter) =>
      (isUkrainian ? UKRAINIAN[letter] : undefined) ??
      CYRILLIC[letter] ??
      GREEK[letter] ??
      ARABIC[letter] ??
      HEBREW[letter] ??
      letter,
  );
}

/** Whether vowels are left out in this script, so that only consonants can be compared. */
function isWrittenWithoutVowels(name: string): boolean {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name);
}
