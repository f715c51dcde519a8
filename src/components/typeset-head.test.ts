import { expect, it } from 'vitest';
import { pageHead, type HeadSite } from '#catalogue/seo/head.ts';
import { typesetHead } from './typeset-head.ts';

const SITE: HeadSite = {
  name: 'Haldenwerk',
  origin: new URL('https://site.example'),
  language: 'fr-fr',
  lang: 'fr-FR',
  home: '/fr-fr/',
  separator: '·',
  templates: {},
  page: String,
  verification: {},
  links: [{ type: 'application/rss+xml', href: '/rss.xml', title: 'Haldenwerk : Journal' }],
};
const TEXT = 'Coller « NPD » : qui tient ?';
const SET = 'Coller «\u00a0NPD\u00a0»\u00a0: qui tient\u202f?';
const value = { '@type': 'PropertyValue', name: 'Classe : E', value: 'A : B' };
const head = pageHead(
  {
    kind: 'article',
    path: '/fr-fr/a/',
    title: TEXT,
    description: TEXT,
    image: { src: '/a.jpg', alt: TEXT },
    facts: [['Auteur', TEXT]],
    crumbs: [
      { name: 'Accueil', path: '/fr-fr/' },
      { name: TEXT, path: '/fr-fr/a/' },
    ],
    graph: [{ '@type': 'Product', '@id': 'https://site.example/a : b', name: TEXT, additionalProperty: [value] }],
  },
  SITE,
);

it('sets all texts of a French head, and no address or declared value', () => {
  const set = typesetHead(head, { lang: 'fr-FR', isMixed: false });
  expect(set).toMatchObject({
    title: `${SET} · Haldenwerk`,
    description: SET,
    openGraph: { title: SET, description: SET, images: [{ alt: SET }] },
    twitter: { data1: SET, card: 'summary_large_image' },
    links: [{ title: 'Haldenwerk\u00a0: Journal' }],
  });
  const [page, trail, product] = set.graph;
  expect(page).toMatchObject({ name: SET });
  expect(JSON.stringify(trail)).toContain(`"name":"${SET}"`);
  expect(product).toEqual({
    '@type': 'Product',
    '@id': 'https://site.example/a : b',
    name: SET,
    additionalProperty: [value],
  });
});

it('leaves heads in other languages as they are', () => {
  expect(typesetHead(head, { lang: 'de-DE', isMixed: false })).toBe(head);
});
