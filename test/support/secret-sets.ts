import fs from 'node:fs';
import path from 'node:path';
import { BASE64, createDraw, mixed, pem, type Draw } from './secret-samples.ts';

export interface SecretSample {
  /** As docs/security.md names it. */
  readonly form: string;
  readonly text: string;
  /** What must not be left of it: the drawn values. */
  readonly secrets: readonly string[];
}

const FOLDER = path.join(import.meta.dirname, '../fixtures/secrets');
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const ALPHABETS: Readonly<Record<string, string | undefined>> = {
  alnum: undefined,
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
  upper: UPPER,
  lowernum: 'abcdefghjkmnpqrstuvwxyz23456789',
  b64: BASE64,
  url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-',
  base58: BASE58,
  wif: BASE58,
  bech: 'qpzry9x8gf2tvdw0s3jn54khce6mua7l',
  ageupper: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** Prefixes by which scanners know a token. */
const PREFIXES: Readonly<Record<string, string>> = { gh: 'gh', xo: 'xo', ant: 'ant', gl: 'gl' };
const WORDS = ['harbour', 'walnut', 'meadow', 'lantern', 'copper', 'thistle', 'ember', 'juniper'];

function drawWord(draw: Draw): string {
  return WORDS[Number(draw(3, DIGITS)) % WORDS.length] ?? 'walnut';
}

/** As people choose them: a word with digits and a sign, or what a generator made. */
function drawPassword(draw: Draw): string {
  const word = drawWord(draw);
  const made = [
    `${word.charAt(0).toUpperCase()}${word.slice(1)}!${draw(2, DIGITS)}`,
    mixed(draw, 14),
    `${word}_${draw(4, DIGITS)}#x`,
    `${draw(4)}-7${draw(3)}-${draw(4)}9`,
  ];
  return made[Number(draw(2, DIGITS)) % made.length] ?? mixed(draw, 14);
}

/** A number that passes the check of card numbers, in fours or in one. */
function drawCard(draw: Draw, separator: string): string {
  const digits = `4${draw(14, DIGITS)}`;
  const sum = [...digits].reduce((total, digit, at) => {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`.replaceAll(/(.{4})(?=.)/gu, `$1${separator}`);
}

function drawValue(name: string, length: number, draw: Draw): string {
  switch (name) {
    case 'pw':
      return drawPassword(draw);
    case 'weak':
      return `${drawWord(draw)}${draw(2, '23456789')}`;
    case 'words':
      return `${drawWord(draw)} ${drawWord(draw)} ${draw(2, '23456789')}`;
    case 'pin':
      return draw(4, '23456789');
    case 'card':
      return drawCard(draw, ' ');
    case 'cardplain':
      return drawCard(draw, '');
    case 'pem':
      return pem('', draw);
    default:
      return draw(length, ALPHABETS[name]);
  }
}

function readLines(name: string): string[] {
  const lines = fs.readFileSync(path.join(FOLDER, name), 'utf8').split('\n');
  return lines.filter((line) => line !== '');
}

const unescape = (text: string): string => text.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t');

export function readSecretSamples(name: 'development' | 'blind', seed: number): SecretSample[] {
  const draw = createDraw(seed);
  return readLines(`${name}.tsv`).map((line) => {
    const [form = '', ...rest] = line.split('\t');
    const secrets: string[] = [];
    const text = unescape(rest.join('\t')).replaceAll(
      /\{(\w+?)(?::(\d+))?\}/gu,
      (_, kind: string, length: string | undefined) => {
        const prefix = PREFIXES[kind];
        if (prefix !== undefined) return prefix;
        const value = drawValue(kind, Number(length ?? 0), draw);
        secrets.push(value);
        return value;
      },
    );
    return { form, text, secrets };
  });
}

export function readLookAlikes(): string[] {
  return readLines('look-alikes.tsv').map(unescape);
}

/** Of a long value, half is as good as all of it; of a key in lines its middle one. */
export function tellingPart(secret: string): string {
  const line = secret.split('\n')[Math.floor(secret.split('\n').length / 2)] ?? secret;
  return line.length <= 12 ? line : line.slice(0, Math.max(12, Math.ceil(line.length / 2)));
}
