import { describe, expect, it } from 'vitest';
import type { PageEntry } from '#catalogue/entries/entries.ts';
import { navigation, pageBranch } from './navigation.ts';

const page = (slugPath: string, ancestors: string[] = []): PageEntry => ({
  sourceId: 1,
  language: 'de-de',
  title: slugPath,
  html: '',
  excerpt: '',
  published: new Date(0),
  modified: new Date(0),
  translations: {},
  path: `/de-de/${slugPath}/`,
  slugPath,
  ancestors,
  order: 0,
});

const company = page('company');
const careers = page('company/careers', ['de-de/company']);
const contact = page('contact');
const pages = [company, careers, contact];
const site = {
  pages: () => pages,
  hasPosts: () => false,
  hasPodcast: () => false,
  mainLanguage: 'de-de',
  page: (id: string) => pages.find(({ slugPath }) => id === `de-de/${slugPath}`),
};
const NAMES = { products: 'Produkte', downloads: 'Downloads', journal: 'Journal', podcast: 'Podcast' };

const state = (path: string) =>
  navigation(site, 'de-de', path, NAMES, { hide: [], links: [] }).map(({ current, within }) =>
    current ? 'here' : within ? 'above' : '',
  );

describe('navigation', () => {
  it('names the catalogue and the pages of the top level, and no journal without posts', () => {
    expect(navigation(site, 'de-de', '/de-de/', NAMES, { hide: [], links: [] }).map(({ name }) => name)).toEqual([
      'Produkte',
      'Downloads',
      'company',
      'contact',
    ]);
  });

  it('names the podcast where the language has one', () => {
    const withPodcast = { ...site, hasPodcast: () => true };
    expect(navigation(withPodcast, 'de-de', '/de-de/podcast/minus-fuenf/', NAMES, { hide: [], links: [] })[2]).toEqual({
      name: 'Podcast',
      href: '/de-de/podcast/',
      current: false,
      within: true,
    });
  });

  it('leaves out and adds entries, in the language of the page', () => {
    const links = [
      { label: { de: 'Über uns', en: 'About us' }, link: { 'de-de': '/de-de/about/' } },
      { label: 'Shop', link: 'https://shop.example/' },
      { label: { fr: 'Boutique' }, link: 'https://shop.example/fr/' },
    ];
    const shown = navigation(site, 'en-gb', '/en-gb/', NAMES, { hide: ['downloads', 'pages'], links });
    expect(shown.map(({ name, href }) => [name, href])).toEqual([
      ['Produkte', '/en-gb/products/'],
      ['About us', '/de-de/about/'],
      ['Shop', 'https://shop.example/'],
    ]);
  });

  it('knows where the reader is, and what stands above', () => {
    expect(state('/de-de/products/')).toEqual(['here', '', '', '']);
    expect(state('/de-de/p/x-1/')).toEqual(['above', '', '', '']);
    expect(state('/de-de/company/careers/')).toEqual(['', '', 'above', '']);
  });
});

describe('pageFamily', () => {
  it('shows the branch that a page stands in, from each of its pages', () => {
    expect(pageBranch(site, careers)).toEqual({ above: [company], around: [company, careers] });
    expect(pageBranch(site, company)).toEqual({ above: [], around: [company, careers] });
  });

  it('has nothing to show around a page that stands alone', () => {
    expect(pageBranch(site, contact)).toEqual({ above: [], around: [] });
  });
});
