import { describe, expect, it } from 'vitest';
import { pageHead, type PageMetadata, type HeadSite } from './head.ts';

const site: HeadSite = {
  name: 'Haldenwerk',
  origin: new URL('https://katalog.example'),
  language: 'de-de',
  lang: 'de-DE',
  home: '/de-de/',
  description: 'Bahnen und Bänder.',
  separator: '·',
  templates: {},
  page: (number) => `Seite ${number}`,
  verification: { 'google-site-verification': 'abc' },
  links: [],
};
const page: PageMetadata = { kind: 'family', path: '/de-de/products/tapes/', title: 'Bänder', description: 'Alle.' };
const alternates = [
  { hreflang: 'de-DE', href: 'https://katalog.example/de-de/products/tapes/' },
  { hreflang: 'en-GB', href: 'https://katalog.example/en-gb/products/tapes/' },
  { hreflang: 'x-default', href: 'https://katalog.example/de-de/products/tapes/' },
];

describe('the texts of a head', () => {
  it.each([
    ['as usual', page, 'Bänder · Haldenwerk', 'Alle.'],
    ['of a further page of a list', { ...page, number: 2 }, 'Bänder · Seite 2 · Haldenwerk', 'Alle. · Seite 2'],
    ['of a home page', { ...page, kind: 'home', title: 'Haldenwerk' }, 'Haldenwerk', 'Alle.'],
    [
      'of a page whose name leaves no room for that of the site',
      { ...page, title: 'Dach-, Fassaden- und Sockelbahnen: Reaktion auf Feuer' },
      'Dach-, Fassaden- und Sockelbahnen: Reaktion auf Feuer',
      'Alle.',
    ],
    ['without a description', { ...page, description: undefined }, 'Bänder · Haldenwerk', undefined],
    [
      'of a product of which nothing is written',
      { ...page, kind: 'product', description: '', variables: { sku: 'HW-1', category: 'Bänder' }, title: 'Uni 60' },
      'Uni 60 · Haldenwerk',
      'Uni 60 · HW-1 · Bänder',
    ],
  ] satisfies [string, PageMetadata, string, string | undefined][])('are %s', (_, given, title, description) => {
    expect(pageHead(given, site)).toMatchObject({ title, openGraph: { description } });
    expect(pageHead(given, site).description).toBe(description);
  });

  it('follow the templates of the kind, and those of the page before these', () => {
    const templates = { family: { title: '%%title%% kaufen %%sep%% %%sitename%%', description: '%%sitedesc%%' } };
    const chosen = { ...site, templates };
    expect(pageHead(page, chosen)).toMatchObject({
      title: 'Bänder kaufen · Haldenwerk',
      description: 'Bahnen und Bänder.',
      openGraph: { title: 'Bänder' },
    });
    const own = { ...page, templates: { title: '%%title%% für innen' } };
    expect(pageHead(own, chosen)).toMatchObject({
      title: 'Bänder für innen',
      openGraph: { title: 'Bänder für innen' },
    });
  });

  it('put in what looks like a variable as it is', () => {
    const title = '%%sitename%% 100 %%';
    expect(pageHead({ ...page, title }, site).title).toBe(`${title} · Haldenwerk`);
  });

  it('end where a sentence ends, but for what is written for the page', () => {
    const sentence = 'Ein Satz, der z. B. so lang ist, dass nicht viele in eine Beschreibung passen.';
    const description = `${sentence} ${sentence} ${sentence}`;
    expect(pageHead({ ...page, description }, site).description).toBe(`${sentence}`);
    expect(pageHead({ ...page, kind: 'product', description, variables: { sku: 'HW-1' } }, site).description).toBe(
      `${sentence} · HW-1`,
    );
    const set = `${sentence.replace('z. B.', 'z.\u00A0B.')} ${sentence} ${sentence}`;
    expect(pageHead({ ...page, description: set }, site).description).toBe(set.slice(0, sentence.length));
    expect(pageHead({ ...page, templates: { description } }, site).description).toBe(description);
  });
});

describe('a page that is kept from search engines', () => {
  it('has neither a canonical address nor translations', () => {
    expect(pageHead({ ...page, alternates }, site)).toMatchObject({
      canonical: 'https://katalog.example/de-de/products/tapes/',
      alternates,
      openGraph: { otherLocales: ['en_GB'] },
    });
    expect(pageHead({ ...page, alternates, noindex: true }, site)).toMatchObject({
      canonical: undefined,
      robots: ['noindex', 'follow'],
      alternates: [],
      openGraph: { otherLocales: [] },
    });
  });
});

describe('codes of services', () => {
  it('stand on home pages alone', () => {
    expect(pageHead({ ...page, kind: 'home' }, site).metas).toEqual(site.verification);
    expect(pageHead(page, site).metas).toEqual({});
  });
});
