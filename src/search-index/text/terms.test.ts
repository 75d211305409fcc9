import { describe, expect, it } from 'vitest';
import { extractQueryTerms, extractTerms } from './terms.ts';

describe('extractTerms', () => {
  it.each([
    ['The deployments were failing', ['deploy', 'fail']],
    ["I don't know what it's about", ['know']],
    ['Café crème', ['cafe', 'creme']],
    ['RouteMerger.mergeAll()', ['routemerg', 'rout', 'merger', 'mergeal', 'merg']],
    ['max_file_bytes = 4096', ['max_file_bytes', 'max', 'file', 'byte', '4096']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['東京に行く', ['東京', '京に', 'に行', '行く']],
    ['я живу в Берлине', ['я', 'живу', 'в', 'берлине']],
    ['שלום עולם', ['שלום', 'עולם']],
    ['👋 ok', ['ok']],
    ['', []],
  ])('%j', (text, terms) => {
    expect(extractTerms(text)).toEqual(terms);
  });

  it('gives the same terms however a letter is composed', () => {
    expect(extractTerms('ﬁle Ame\u0301lie')).toEqual(extractTerms('file Amélie'));
  });
});

describe('extractQueryTerms', () => {
  it('keeps the words of a question that has only stop words', () => {
    expect(extractQueryTerms('who are you')).toEqual(['who', 'ar', 'you']);
    expect(extractQueryTerms('who moved')).toEqual(['move']);
  });
});
