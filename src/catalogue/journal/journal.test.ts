import { describe, expect, it } from 'vitest';
import type { ProductListEntry, PostEntry } from '#catalogue/entries/entries.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { journalArchives, archiveCounterparts, archivePage, archivePages } from './journal-pages.ts';
import { findMentions, mentionedProducts, relatedPosts } from './related-posts.ts';

const term = (slug: string) => ({ slug, name: slug.toUpperCase() });

interface Sketch {
  slug: string;
  language?: string;
  day?: string;
  categories?: string[];
  tags?: string[];
  translations?: Record<string, string>;
  html?: string;
}

function createPost({ slug, language = 'de-de', day = '2026-11-05', ...rest }: Sketch): PostEntry {
  const { categories = [], tags = [], translations = {}, html = '' } = rest;
  const path = `/${language}/journal/${slug}/`;
  return {
    sourceId: 1,
    slug,
    language,
    path,
    title: slug,
    html,
    excerpt: '',
    published: new Date(`${day}T12:00:00Z`),
    modified: new Date(`${day}T12:00:00Z`),
    author: 'Redaktion',
    authorSlug: 'redaktion',
    sticky: false,
    hasLead: false,
    categories: categories.map(term),
    mentions: { gtins: [], names: [] },
    tags: tags.map(term),
    translations: { ...translations, [language]: path },
  };
}

function createSite(posts: readonly PostEntry[]) {
  const languages = ['de-de', 'en-gb'].map((code) => ({ code, name: code }));
  const byLanguage = Map.groupBy(posts, ({ language }) => language);
  return { languages, posts: (code: string) => byLanguage.get(code) ?? [] };
}

/** German and English posts, each other's translations where they have one name. */
const pair = (slug: string, german: Partial<Sketch>, english: Partial<Sketch>): PostEntry[] => {
  const translations = { 'de-de': `/de-de/journal/${slug}/`, 'en-gb': `/en-gb/journal/${slug}/` };
  return [
    createPost({ slug, translations, ...german }),
    createPost({ slug, translations, language: 'en-gb', ...english }),
  ];
};

describe('journalArchives', () => {
  const posts = [
    createPost({ slug: 'pinned', day: '2026-01-31', categories: ['praxis'] }),
    createPost({ slug: 'late', day: '2026-11-05', categories: ['praxis', 'dach'], tags: ['band'] }),
  ];
  const site = createSite(posts);

  it('sorts posts by category, tag, author and month, newest first', () => {
    expect(
      journalArchives(site, 'de-de').map(({ kind, id, posts: held }) => [kind, id, ...held.map(({ slug }) => slug)]),
    ).toEqual([
      ['category', 'dach', 'late'],
      ['category', 'praxis', 'late', 'pinned'],
      ['tag', 'band', 'late'],
      ['author', 'redaktion', 'late', 'pinned'],
      ['month', '2026-11', 'late'],
      ['month', '2026-01', 'pinned'],
    ]);
  });

  it('counts a post to the month it was published in at the maker’s desk', () => {
    const night = { ...createPost({ slug: 'night' }), published: new Date('2026-10-31T23:30:00Z') };
    const months = journalArchives(createSite([night]), 'de-de').filter(({ kind }) => kind === 'month');
    expect(months.map(({ id }) => id)).toEqual(['2026-11']);
  });

  it('cuts long ones into pages', () => {
    const many = Array.from({ length: 25 }, (_, i) => createPost({ slug: `p${i}`, categories: ['praxis'] }));
    const pages = archivePages(createSite(many), 'de-de').filter(({ archive }) => archive.kind === 'category');
    expect(pages.map(({ number, total, items }) => [number, total, items.length])).toEqual([
      [1, 2, 24],
      [2, 2, 1],
    ]);
  });
});

const counterpart = (posts: readonly PostEntry[], id: string, language = 'de-de') => {
  const site = createSite(posts);
  const archive = journalArchives(site, language).find((candidate) => candidate.id === id);
  return archive && Object.values(archiveCounterparts(site, language, archive)).map((found) => found.id);
};

describe('archiveCounterparts', () => {
  it('finds the term that holds the translations', () => {
    const posts = [
      ...pair('a', { categories: ['praxis'] }, { categories: ['practice'] }),
      ...pair('b', { categories: ['praxis', 'dach'] }, { categories: ['practice', 'roof'] }),
      createPost({ slug: 'only-german', categories: ['praxis'] }),
    ];
    expect(counterpart(posts, 'praxis')).toEqual(['praxis', 'practice']);
    expect(counterpart(posts, 'practice', 'en-gb')).toEqual(['praxis', 'practice']);
    expect(counterpart(posts, 'roof', 'en-gb')).toEqual(['dach', 'roof']);
  });

  it('claims nothing where two terms could be meant', () => {
    const posts = pair('a', { tags: ['band', 'fuge'] }, { tags: ['tape', 'joint'] });
    expect(counterpart(posts, 'band')).toEqual(['band']);
  });

  it('knows a term, an author and a month by its name', () => {
    const posts = pair('a', { tags: ['news', 'band'] }, { tags: ['news', 'tape'] });
    expect(counterpart(posts, 'news')).toEqual(['news', 'news']);
    expect(counterpart(posts, 'band')).toEqual(['band', 'tape']);
    expect(counterpart(posts, '2026-11')).toEqual(['2026-11', '2026-11']);
  });

  it('leads to the same page only where it is as long', () => {
    const german = Array.from({ length: 25 }, (_, i) => createPost({ slug: `p${i}`, tags: ['news'] }));
    const site = createSite([...german, createPost({ slug: 'e', language: 'en-gb', tags: ['news'] })]);
    const second = archivePage(site, 'de-de', { kind: 'tag', id: 'news' }, 2);
    expect(second?.paths).toEqual({ 'de-de': '/de-de/journal/tag/news/page/2/' });
  });
});

describe('relatedPosts', () => {
  it('prefers shared tags to shared categories to what is new', () => {
    const posts = [
      createPost({ slug: 'newest' }),
      createPost({ slug: 'same-category', categories: ['praxis'] }),
      createPost({ slug: 'post', categories: ['praxis'], tags: ['band'] }),
      createPost({ slug: 'old' }),
      createPost({ slug: 'same-tag', tags: ['band'] }),
    ];
    const related = relatedPosts(posts, posts[2] ?? createPost({ slug: 'none' }));
    expect(related.map(({ slug }) => slug)).toEqual(['same-tag', 'same-category', 'newest']);
  });
});

describe('findMentions', () => {
  it('finds numbers, links and names of products, and no name across sentences', () => {
    const { gtins, names } = findMentions(
      '<p>Mit <strong>DIFFRANA</strong> Brems 20 (HW-10220). Primer 1 l hilft.</p><p>Der Sparren.</p>' +
        '<a href="/de-de/p/x-9524010000016/">x</a> <a href="https://id.example/01/09524010000023?x">y</a>',
    );
    expect(names).toEqual(expect.arrayContaining(['DIFFRANA Brems 20', 'HW-10220', 'Primer 1 l']));
    expect(names).not.toContain('Der Sparren');
    expect(names.some((name) => name.includes('). '))).toBe(false);
    expect(gtins).toEqual(['9524010000016', '9524010000023']);
  });

  it('takes no digits for a GTIN whose check digit is wrong', () => {
    expect(findMentions('<p>9524010000017</p>').gtins).toEqual([]);
  });
});

describe('mentionedProducts', () => {
  const offered = ['9524010000016', '9524010000023'].map((gtin, i) =>
    createProductEntry({ gtin, name: `TAPE ${i}`, item_number: `T-${i}` }),
  );
  const site = {
    product: (_: string, gtin: string): ProductListEntry | undefined =>
      offered.find((product) => product.gtin === gtin),
    named: (_: string, names: readonly string[]): ProductListEntry[] =>
      offered.filter(({ name, item_number }) => names.includes(name) || names.includes(item_number)),
  };

  it('gives each once, in the order of the text', () => {
    const html = '<p>TAPE 1, also T-0, and TAPE 1 again</p><a href="/de-de/p/t-9524010000016/">T</a>';
    expect(mentionedProducts(site, 'de-de', findMentions(html)).map(({ gtin }) => gtin)).toEqual([
      '9524010000023',
      '9524010000016',
    ]);
  });

  it('leaves out what is no longer offered', () => {
    const gone = { since: new Date(0), reason: 'gone' as const, everywhere: true };
    const archive = { ...site, product: () => createProductEntry({ archived: gone }) };
    expect(mentionedProducts(archive, 'de-de', findMentions('<a href="/p/t-9524010000016/">T</a>'))).toEqual([]);
  });
});
