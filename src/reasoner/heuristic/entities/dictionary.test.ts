import { describe, expect, it } from 'vitest';
import { readDictionary, writeDictionary } from './dictionary.ts';
import { loadClasses, loadLexicon } from './lexicon.ts';

describe('the dictionary that the package has beside its library', () => {
  it('knows every word of the library by the same classes', async () => {
    const classes = await loadClasses();
    const classesOf = readDictionary(writeDictionary(classes));
    const different = Object.entries(classes).filter(
      ([word, tags = []]) => classesOf(word).join(' ') !== [tags].flat().join(' '),
    );
    expect(different).toEqual([]);
    expect(Object.keys(classes).length).toBeGreaterThan(20_000);
  });

  it('does not know parts of words, words before the first and behind the last, or nothing', async () => {
    const lexicon = await loadLexicon();
    const classesOf = readDictionary(writeDictionary(await loadClasses()));
    for (const word of ['', 'lisbo', 'isbon', '!', '\uffff', 'lisbon\tcity', 'a\n', 'constructor'])
      expect(classesOf(word)).toEqual(lexicon.classesOf(word));
    expect(classesOf('lisbon')).toContain('City');
  });
});
