import { hash } from 'node:crypto';
import { encodeBase32 } from '../../model/ids.ts';
import { MnemeError } from '../../model/errors.ts';
import { itemText } from '../../workspace/formats/item.ts';
import type { JournalPeriod } from '../../model/schemas/time.ts';
import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { JOURNAL_SECTIONS, journalPath, pointTrust, renderJournal } from '../../workspace/formats/journal.ts';
import { parseMetadataLine, renderComment, visibleText } from '../../workspace/formats/metadata.ts';
import { appendInOrder, endOfOwnText, findSection, normalTitle, sectionsOf } from '../../workspace/formats/sections.ts';
import { headingText, itemRange } from '../../workspace/markdown/blocks.ts';
import { insertBlocks, removeBlock, replaceBlock } from '../../workspace/markdown/edit.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import { type Plan, type StoreParts, Told, editText, timestamp, today } from './plan.ts';
import { oneLine } from '../../model/text.ts';

/** The entry that a session adds to its day, or a job to the day, week or month it condenses. */
export interface SessionDay {
  /** A day when not given. */
  readonly period?: JournalPeriod | undefined;
  /** `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM` */
  readonly date: string;
  /** The session that owns these points: they replace its earlier ones. */
  readonly session: string;
  /** False for a name that is no conversation's: it is not listed as one. */
  readonly isSession?: boolean | undefined;
  readonly topic: string;
  readonly points: readonly string[];
  readonly decisions?: readonly string[] | undefined;
  readonly errors?: readonly string[] | undefined;
  readonly next?: readonly string[] | undefined;
  /** Of the least trusted thing it sums up; an agent's word when not given. */
  readonly trust?: Trust | undefined;
}

type ListName = 'decisions' | 'errors' | 'next';
const LISTS: readonly ListName[] = ['decisions', 'errors', 'next'];
const ORDER: readonly string[] = Object.values(JOURNAL_SECTIONS).map(([name]) => name);

/** A point and where it belongs: a topic, or one of the day's lists. */
interface Point {
  readonly place: string;
  readonly text: string;
}

/**
 * The day's journal with a session's points in it. A comment below the topic lists what the session wrote, by short
 * digests: with it a second run replaces exactly its own points, and knows which of them a person has changed or taken
 * out since. Those stay as the person left them.
 */
export function planJournal(parts: StoreParts, given: SessionDay): Plan<{ readonly isChanged: boolean }> {
  const { period = 'day' } = given;
  if (!DATES[period].test(given.date)) throw new MnemeError('usage', `"${given.date}" is not a ${period}.`);
  const path = journalPath(period, given.date);
  const day = { ...given, topic: oneLine(given.topic.toWellFormed()).replace(/[\s#]+$/u, '') || 'General' };
  const told = new Told<{ readonly isChanged: boolean }>();
  const edit = (current: string | undefined): string => {
    const before = current ?? newJournal(period, day.date, parts);
    const text = editText(path, before, timestamp(parts), (document) => writeSession(document, day));
    told.set({ isChanged: text !== current });
    return text;
  };
  return { changes: [{ path, edit }], notes: [], outcome: () => told.get() };
}

const DATES: Readonly<Record<JournalPeriod, RegExp>> = {
  day: /^\d{4}-\d{2}-\d{2}$/u,
  week: /^\d{4}-W\d{2}$/u,
  month: /^\d{4}-\d{2}$/u,
};

/** A day that is written down late says when: it fades from then on. */
function newJournal(period: JournalPeriod, date: string, parts: StoreParts): string {
  const updated = period === 'day' && date < today(parts) ? timestamp(parts) : undefined;
  const empty = { topics: [], decisions: [], errors: [], counts: {}, next: [] };
  return renderJournal({ period, date, updated, sessions: [], ...empty });
}

function writeSession(before: MarkdownDocument, day: SessionDay): MarkdownDocument {
  const topic = topicPlace(day.topic);
  const wanted = new Map(pointsOf(day, topic).map((point) => [digestOf(point), point]));
  const mark = findMarks(before).find(({ session }) => session === day.session);
  const written = new Set(mark?.digests);
  // An entry that was written once and is gone was changed or removed by a person; it is not added again.
  const there = digestsIn(before);
  const takenOut = [...written].filter((digest) => !there.has(digest));
  let document = removeOwn(before, day.session, written, wanted);
  const present = digestsIn(document);
  const fresh = [...wanted].filter(([digest]) => !written.has(digest) && !present.has(digest));
  const needsTopic = mark === undefined || fresh.some(([, { place }]) => place === topic);
  if (needsTopic && wanted.size > 0) document = addTopic(document, day.topic);
  for (const [, point] of fresh) document = addPoint(document, point, day.topic);
  document = writeMark(document, day, [...new Set([...wanted.keys(), ...takenOut])]);
  const tidy = dropEmptyTopics(document, before);
  return day.isSession === false ? tidy : addSession(tidy, day.session);
}

function digestsIn(document: MarkdownDocument): Set<string> {
  return new Set(listed(document).map(({ point }) => digestOf(point)));
}

function topicPlace(topic: string): string {
  return `topic ${normalTitle(topic)}`;
}

function pointsOf(day: SessionDay, topic: string): Point[] {
  const points = [
    ...day.points.map((text) => ({ place: topic, text })),
    ...LISTS.flatMap((name) => (day[name] ?? []).map((text) => ({ place: name, text }))),
  ].map(({ place, text }) => ({ place, text: withTrust(oneLine(text.toWellFormed()), day.trust) }));
  return points.filter(({ text }) => text !== '');
}

/**
 * A point with the trust of what it tells, where that is less than an agent's; what a journal does not mark counts as the agent's.
 * What the text says of its own origin is taken out: whoever writes a line does not say how far it is trusted.
 */
function withTrust(text: string, given: Trust | undefined): string {
  const marked = pointTrust(text);
  const trust = lowestTrust(['agent', given ?? 'agent', marked ?? 'agent']);
  const words = text.replaceAll(/<!--[\s\S]*?-->/gu, (comment) => (claimsOrigin(comment) ? '' : comment)).trim();
  return trust === 'agent' || words === '' ? words : `${words} ${renderComment([['trust', trust]])}`;
}

/** The short form of metadata implies a source and a trust without naming them. */
function claimsOrigin(comment: string): boolean {
  return /\b(?:trust|source)\b/u.test(comment) || parseMetadataLine(comment)?.has('source') === true;
}

const DIGEST_CHARS = 8;

function digestOf({ place, text }: Point): string {
  return encodeBase32(hash('sha256', `${place}\0${visibleText(oneLine(text)).trim()}`, 'buffer'), DIGEST_CHARS);
}

interface Mark {
  readonly session: string;
  readonly digests: readonly string[];
  readonly index: number;
}

function findMarks(document: MarkdownDocument): Mark[] {
  return document.blocks.flatMap((block, index) => {
    const fields = block.kind === 'html' ? parseMetadataLine(block.raw.trim()) : undefined;
    const session = fields?.get('session');
    const wrote = fields?.get('wrote');
    if (typeof session !== 'string' || wrote === undefined) return [];
    return [{ session, digests: Array.isArray(wrote) ? wrote : [String(wrote)], index }];
  });
}

interface ListedPoint {
  readonly point: Point;
  readonly index: number;
}

/** Every top-level bullet of the day, with the place it stands in. */
function listed(document: MarkdownDocument): ListedPoint[] {
  const sections = sectionsOf(document);
  const listOf = new Map(LISTS.map((name) => [findSection(sections, ...JOURNAL_SECTIONS[name])?.heading, name]));
  const found: ListedPoint[] = [];
  let place = '';
  for (const [index, block] of document.blocks.entries()) {
    if (block.kind === 'heading') {
      if (block.level <= 2) place = listOf.get(index) ?? topicPlace(headingText(block));
      else if (!LISTS.some((name) => name === place)) place = topicPlace(headingText(block));
    } else if (block.kind === 'item' && block.level === 0) {
      found.push({ point: { place, text: itemText(block) }, index });
    }
  }
  return found;
}

/** Takes out what the session wrote and no longer says, unless another session says it or a person added to it. */
function removeOwn(
  document: MarkdownDocument,
  session: string,
  written: ReadonlySet<string>,
  wanted: ReadonlyMap<string, Point>,
): MarkdownDocument {
  const others = new Set(findMarks(document).flatMap((mark) => (mark.session === session ? [] : mark.digests)));
  const going = listed(document).filter(({ point, index }) => {
    const digest = digestOf(point);
    const hasMore = itemRange(document, index).end > index + 1;
    return written.has(digest) && !wanted.has(digest) && !others.has(digest) && !hasMore;
  });
  return going.reduceRight((rest, { index }) => removeBlock(rest, index), document);
}

function findTopic(document: MarkdownDocument, topic: string): number | undefined {
  const wanted = normalTitle(topic);
  const start = findSection(sectionsOf(document), ...JOURNAL_SECTIONS.topics)?.heading;
  if (start === undefined) return undefined;
  for (const [offset, block] of document.blocks.slice(start + 1).entries()) {
    if (block.kind !== 'heading') continue;
    if (block.level <= 2) return undefined;
    if (normalTitle(headingText(block)) === wanted) return start + 1 + offset;
  }
  return undefined;
}

function addTopic(document: MarkdownDocument, topic: string): MarkdownDocument {
  if (findTopic(document, topic) !== undefined) return document;
  const sections = sectionsOf(document);
  const happened = findSection(sections, ...JOURNAL_SECTIONS.topics);
  if (happened === undefined) return appendInOrder(document, JOURNAL_SECTIONS.topics[0], ORDER, `### ${topic}`);
  const next = sections.find((section) => section.heading > happened.heading && section.level <= 2);
  return insertBlocks(document, next?.heading ?? document.blocks.length, [`### ${topic}`]);
}

function addPoint(document: MarkdownDocument, point: Point, topic: string): MarkdownDocument {
  const line = `- ${point.text}`;
  const list = LISTS.find((name) => name === point.place);
  if (list !== undefined) {
    const [title, ...others] = JOURNAL_SECTIONS[list];
    return appendInOrder(document, title, ORDER, line, others);
  }
  const heading = findTopic(document, topic);
  return heading === undefined ? document : insertBlocks(document, endOfOwnText(document, heading), [line]);
}

/** The comment stands directly below the topic of the session; where a person renamed that, it stays where it is. */
function writeMark(document: MarkdownDocument, day: SessionDay, digests: readonly string[]): MarkdownDocument {
  const old = findMarks(document).find(({ session }) => session === day.session);
  const heading = findTopic(document, day.topic);
  if (digests.length === 0) return old === undefined ? document : removeBlock(document, old.index);
  const comment = renderComment([
    ['session', day.session],
    ['wrote', digests.toSorted()],
  ]);
  const isInPlace = old !== undefined && (heading === undefined || isBelow(document, heading, old.index));
  if (isInPlace) return replaceBlock(document, old.index, comment);
  const cleared = old === undefined ? document : removeBlock(document, old.index);
  const at = findTopic(cleared, day.topic);
  return at === undefined ? cleared : insertBlocks(cleared, at + 1, [comment]);
}

function isBelow(document: MarkdownDocument, heading: number, index: number): boolean {
  return index > heading && document.blocks.slice(heading + 1, index).every((block) => block.kind !== 'heading');
}

/** A topic that only held what was taken out now goes too; one that a person left empty stays. */
function dropEmptyTopics(document: MarkdownDocument, before: MarkdownDocument): MarkdownDocument {
  const wereEmpty = new Set(topicsOf(before).flatMap(({ title, isEmpty }) => (isEmpty ? [title] : [])));
  return topicsOf(document)
    .filter(({ title, isEmpty }) => isEmpty && !wereEmpty.has(title))
    .reduceRight((rest, { index }) => removeBlock(rest, index), document);
}

function topicsOf(
  document: MarkdownDocument,
): { readonly title: string; readonly index: number; readonly isEmpty: boolean }[] {
  return document.blocks.flatMap((block, index) => {
    if (block.kind !== 'heading' || block.level !== 3) return [];
    const next = document.blocks.slice(index + 1).find(({ kind }) => kind !== 'blank');
    return [{ title: normalTitle(headingText(block)), index, isEmpty: next === undefined || next.kind === 'heading' }];
  });
}

function addSession(document: MarkdownDocument, session: string): MarkdownDocument {
  const known = document.frontmatter?.values?.['sessions'];
  const sessions = Array.isArray(known) ? known.map(String) : [];
  if (document.frontmatter === undefined || sessions.includes(session)) return document;
  return setFrontmatterValue(document, 'sessions', [...sessions, session]);
}
