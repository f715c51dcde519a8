import { describe, expect, it } from 'vitest';
import type { DirectoryPage } from '../read-model/product-index.ts';
import { directoryPaths, directorySections, directoryView } from './directory-view.ts';

const page = (list: DirectoryPage['list'], section: string, number: number): DirectoryPage => ({
  list,
  section,
  number,
  first: `${section}${number}a`,
  last: `${section}${number}z`,
  digest: '',
});
const manyPages = (count: number) => Array.from({ length: count }, (_, i) => page('gtins', '', i + 1));
const pages: Record<string, DirectoryPage[]> = {
  'de-de': [page('names', 'd', 1), page('names', 'd', 2), page('names', 'k', 1), ...manyPages(90)],
  'en-gb': [page('names', 'd', 1)],
};
const site = {
  directoryPages: (language: string) => pages[language] ?? [],
  languages: Object.keys(pages).map((code) => ({ code, name: code })),
};

describe('a table of all products', () => {
  it('leads to every letter and to the pages of its own', () => {
    expect(directoryView(site, 'de-de', { list: 'names', section: 'd' })).toEqual({
      total: 2,
      sections: ['d', 'k'],
      ranges: [
        { number: 1, first: 'd1a', last: 'd1z' },
        { number: 2, first: 'd2a', last: 'd2z' },
      ],
    });
    expect(directorySections(site, 'en-gb')).toEqual(['d']);
  });

  it('leads to no more pages than one can look over, and leaves none out of their ranges', () => {
    const { ranges } = directoryView(site, 'de-de', { list: 'gtins', section: '' });
    expect(ranges).toHaveLength(30);
    expect(ranges.at(0)).toEqual({ number: 1, first: '1a', last: '3z' });
    expect(ranges.at(-1)).toEqual({ number: 88, first: '88a', last: '90z' });
  });

  it('leads to other languages only where they have the page', () => {
    expect(directoryPaths(site, { list: 'names', section: 'd', number: 1 })).toEqual({
      'de-de': '/de-de/search/names/d/',
      'en-gb': '/en-gb/search/names/d/',
    });
    expect(Object.keys(directoryPaths(site, { list: 'names', section: 'd', number: 2 }))).toEqual(['de-de']);
  });
});
