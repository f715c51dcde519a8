import type { PageRecord } from '#contracts/synced/index.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProduct, fillSnapshot } from './testing/fill-snapshot.ts';
import { openSnapshot } from './open-snapshot.ts';

const open = () => openSnapshot(path.join(mkdtempSync(path.join(tmpdir(), 'sortiment-past-')), 'snapshot.sqlite'));
const day = (date: number) => new Date(Date.UTC(2026, 10, date));
const languages = { language: { 'de-de': { code: 'de-de', name: 'Deutsch' }, 'fr-fr': { code: 'fr-fr', name: 'F' } } };
const german = (name: string) => createProduct({ name, gtin: '9524010000016', language: 'de-de' });
const french = (name: string) => createProduct({ name, gtin: '9524010000016', language: 'fr-fr' });

const page = (fields: Partial<PageRecord>): PageRecord => ({
  id: 7,
  slug: 'about',
  link: 'https://journal.example/about/',
  title: 'About',
  html: '',
  excerpt: '',
  published: '2026-11-01T00:00:00Z',
  modified: '2026-11-01T00:00:00Z',
  author: 1,
  featuredMedia: undefined,
  parent: undefined,
  menuOrder: 0,
  ...fields,
});

describe('what addresses were made of', () => {
  it('is kept for every name that a product had, and not for other changes', () => {
    const snapshot = open();
    fillSnapshot(snapshot, { products: [german('Alpha')], at: day(1) });
    fillSnapshot(snapshot, { products: [{ ...german('Alpha'), item_number: '4711' }], at: day(2) });
    expect([...snapshot.pastNames()]).toEqual([]);
    fillSnapshot(snapshot, { products: [german('Beta')], at: day(3) });
    fillSnapshot(snapshot, { products: [german('Gamma')], at: day(4) });
    fillSnapshot(snapshot, { products: [german('Beta')], at: day(5) });
    expect([...snapshot.pastNames()].map(({ name }) => name)).toEqual(['Alpha', 'Beta', 'Gamma']);
    snapshot.close();
  });

  it('is kept when a name is given up again and again', () => {
    const snapshot = open();
    for (const [at, name] of ['Alpha', 'Beta', 'Alpha', 'Beta', 'Alpha'].entries())
      fillSnapshot(snapshot, { products: [german(name)], at: day(at + 1) });
    expect([...snapshot.pastNames()].map(({ name }) => name)).toEqual(['Alpha', 'Beta']);
    snapshot.close();
  });

  it('is the name in another language until there is a translation', () => {
    const snapshot = open();
    fillSnapshot(snapshot, { products: [german('Alpha')], records: languages, at: day(1) });
    fillSnapshot(snapshot, { products: [german('Alpha'), french('Alpha F')], records: languages, at: day(2) });
    expect([...snapshot.pastNames()]).toEqual([{ gtin: '9524010000016', language: 'fr-fr', name: 'Alpha' }]);
    snapshot.close();
  });

  it('is nothing where a product or a language is new', () => {
    const snapshot = open();
    const { 'de-de': first } = languages.language;
    fillSnapshot(snapshot, { products: [german('Alpha')], records: { language: { 'de-de': first } }, at: day(1) });
    fillSnapshot(snapshot, { products: [german('Alpha'), french('Alpha F')], records: languages, at: day(2) });
    expect([...snapshot.pastNames()]).toEqual([]);
    snapshot.close();
  });

  it('is kept for the slug of a page, and the page above it', () => {
    const snapshot = open();
    const put = (at: number, fields: Partial<PageRecord>) =>
      fillSnapshot(snapshot, { records: { page: { 7: page(fields) } }, at: day(at) });
    put(1, {});
    put(2, { title: 'About us' });
    put(3, { slug: 'about-us' });
    put(4, { slug: 'about-us', parent: 3 });
    expect([...snapshot.pastPlaces('page')]).toEqual([
      { id: 7, slug: 'about-us', parent: undefined, until: day(4).toISOString() },
      { id: 7, slug: 'about', parent: undefined, until: day(3).toISOString() },
    ]);
    expect([...snapshot.pastPlaces('post')]).toEqual([]);
    snapshot.close();
  });
});
