import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchIndex } from '../port.ts';
import { describeDocuments, describePassages } from './document-tests.ts';
import { axis, embed, EVERYTHING, findTexts, makeDocument, put } from './documents.ts';
import { describeFilters } from './filter-tests.ts';
import { describeHistory } from './history-tests.ts';
import { describeSearch, describeWindows } from './lexical-tests.ts';
import { describeCompletion, describeLookups } from './lookup-tests.ts';
import { describeVectors, describeVectorsOverTime } from './vector-tests.ts';

export interface OpenedIndex {
  readonly index: SearchIndex;
  /** The same index through another connection, where there is such a thing. */
  readonly openAnother?: (() => Promise<SearchIndex>) | undefined;
  readonly dispose: () => Promise<void>;
}

/** The requirements of every engine; each test gets an index of its own. `histories`: fewer where opening one takes long. */
export function describeSearchIndex(name: string, open: () => Promise<OpenedIndex>, histories = 40): void {
  describe(`search index: ${name}`, () => {
    let opened: OpenedIndex;
    let index: SearchIndex;

    beforeEach(async () => {
      opened = await open();
      ({ index } = opened);
    });

    afterEach(async () => {
      await index.close();
      await opened.dispose();
    });

    describeDocuments(() => index);
    describePassages(() => index);
    describeSearch(() => index);
    describeFilters(() => index);
    describeWindows(() => index);
    describeVectors(() => index);
    describeVectorsOverTime(() => index);
    describeLookups(() => index);
    describeCompletion(() => index);
    describeHistory(() => index, open, histories);
    describeConnections(() => opened);
  });
}

function describeConnections(opened: () => OpenedIndex): void {
  it('shows a write to everybody at once', async () => {
    const { index, openAnother } = opened();
    if (openAnother === undefined) return;
    const other = await openAnother();
    try {
      await index.apply(put(makeDocument({ path: 'a.md' }, ['green tea'])));
      const view = await other.view(EVERYTHING);
      expect(await findTexts(view, 'tea')).toEqual(['green tea']);
      await index.apply(put(makeDocument({ path: 'b.md' }, ['tea house'])));
      expect(await findTexts(view, 'tea')).toHaveLength(2);
      await embed(other, 'm', () => axis(1));
      expect(await (await index.view(EVERYTHING)).findNearest('m', axis(1), 5)).toHaveLength(2);
      await Promise.all([
        ...Array.from({ length: 10 }, (_, number) => index.apply(put(makeDocument({ path: `x${number}` }, ['milk'])))),
        ...Array.from({ length: 10 }, (_, number) => other.apply(put(makeDocument({ path: `y${number}` }, ['milk'])))),
      ]);
      expect(await findTexts(await index.view(EVERYTHING), 'milk')).toHaveLength(20);
      expect(await findTexts(await other.view(EVERYTHING), 'milk')).toHaveLength(20);
    } finally {
      await other.close();
    }
  });
}
