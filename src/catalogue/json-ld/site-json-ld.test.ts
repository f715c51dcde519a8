import { describe, expect, it } from 'vitest';
import { listJsonLd, siteJsonLd } from './site-json-ld.ts';

const site = new URL('https://katalog.example');
const maker = { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1', '00000 Haldenbrück'], email: 'info@x.example' };

describe('the site for machines', () => {
  it('is published by the maker, in the language of the page', () => {
    const [organization, website] = siteJsonLd(
      { name: 'Haldenwerk', description: 'Bahnen.', maker, profiles: ['https://video.example/haldenwerk'] },
      'de-de',
      site,
    );
    expect(website).toMatchObject({ '@type': 'WebSite', url: 'https://katalog.example/de-de/', inLanguage: 'de-DE' });
    expect(website?.['publisher']).toEqual({ '@id': organization?.['@id'] });
    expect(organization).toMatchObject({
      sameAs: ['https://video.example/haldenwerk'],
      name: 'Haldenwerk GmbH',
      address: 'Am Prüfstand 1, 00000 Haldenbrück',
    });
  });
});

describe('a list for machines', () => {
  it('counts on from the pages before it', () => {
    const items = [{ path: '/de-de/p/a/' }, { path: '/de-de/p/b/' }];
    expect(listJsonLd({ path: '/de-de/l/', items, before: 48, total: 50 }, site)).toEqual({
      '@type': 'ItemList',
      '@id': 'https://katalog.example/de-de/l/#list',
      numberOfItems: 50,
      itemListElement: [
        { '@type': 'ListItem', position: 49, url: 'https://katalog.example/de-de/p/a/' },
        { '@type': 'ListItem', position: 50, url: 'https://katalog.example/de-de/p/b/' },
      ],
    });
  });
});
