import fs from 'node:fs';
import path from 'node:path';
import { splitTrailingMetadata } from '../../src/workspace/formats/metadata.ts';
import { cutAnchor } from '../../src/workspace/markdown/anchor.ts';

/** How much metadata the learned lines of a workspace carry, in characters of the comment without the anchor. */
export interface LineFigures {
  readonly lines: number;
  readonly meanCharacters: number;
  readonly longestCharacters: number;
  readonly longest: string;
  /** Of all lists' lines in pages, those without any comment. */
  readonly shareWithout: number;
}

/** Measures pages (`memory/graph`) and days (`memory/episodes`); learned is what rests on a turn. */
export function measureLearnedLines(workspace: string): LineFigures {
  const comments: string[] = [];
  let [items, bare] = [0, 0];
  for (const folder of ['memory/graph/entities', 'memory/episodes']) {
    for (const file of fs.globSync('*.md', { cwd: path.join(workspace, folder) })) {
      for (const line of fs.readFileSync(path.join(workspace, folder, file), 'utf8').split('\n')) {
        const words = cutAnchor(line.trimEnd()).trimEnd();
        const { text, fields } = splitTrailingMetadata(words);
        if (line.startsWith('- ')) items += 1;
        if (line.startsWith('- ') && fields === undefined) bare += 1;
        if (fields?.has('evidence') === true) comments.push(words.slice(text.length).trim());
      }
    }
  }
  const longest = comments.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return {
    lines: comments.length,
    meanCharacters: comments.reduce((sum, { length }) => sum + length, 0) / Math.max(1, comments.length),
    longestCharacters: longest.length,
    longest,
    shareWithout: bare / Math.max(1, items),
  };
}
