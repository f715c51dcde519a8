import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDemoContent, type DemoContent } from './demo-content.ts';

const FOLDER = 'content/demo';
const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];
const LANGUAGE_CATEGORIES = new Map([
  ['de-de', 'deutsch'],
  ['en-gb', 'english'],
  ['fr-fr', 'francais'],
]);

let content: DemoContent;

beforeAll(async () => {
  content = await readDemoContent(FOLDER);
});

function unique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function words(html: string): number {
  return html
    .replace(/<[^>]+>/g, ' ')
    .split(/\s+/)
    .filter(Boolean).length;
}

describe('posts', () => {
  it('come in 12 topics and three languages, of a readable length', () => {
    expect(content.posts).toHaveLength(36);
    const topics = Object.values(Object.groupBy(content.posts, (post) => post.key));
    for (const versions of topics) expect(versions?.map((post) => post.language)).toEqual(LANGUAGES);
    for (const post of content.posts) {
      expect(words(post.body), `${post.key} ${post.language}`).toBeGreaterThanOrEqual(220);
      expect(words(post.body), `${post.key} ${post.language}`).toBeLessThanOrEqual(450);
    }
  });

  it('have addresses and times of their own', () => {
    expect(unique([...content.posts, ...content.pages].map(({ slug }) => slug))).toBe(true);
    expect(unique(content.posts.map(({ date }) => date))).toBe(true);
    for (const { date } of content.posts) expect(date > '2026-01-01' && date < '2026-12-01', date).toBe(true);
  });

  it('carry the category of their language and one or two topics of it, nothing unknown', () => {
    const known = new Map(content.categories.map((category) => [category.slug, category]));
    for (const post of content.posts) {
      const categories = post.categories.map((slug) => known.get(slug));
      expect(
        categories.every((category) => category?.language === post.language),
        post.slug,
      ).toBe(true);
      const own = categories.filter((category) => category?.role === 'language').map((category) => category?.slug);
      expect(own).toEqual([LANGUAGE_CATEGORIES.get(post.language)]);
      expect([1, 2]).toContain(categories.length - 1);
    }
  });

  it('share one translation tag with exactly their other two languages', () => {
    const known = new Map(content.tags.map((tag) => [tag.slug, tag]));
    const groups = new Map<string, string[]>();
    for (const post of content.posts) {
      for (const tag of post.tags) expect(known.has(tag), `${post.slug}: ${tag}`).toBe(true);
      for (const tag of post.tags) expect([undefined, post.language]).toContain(known.get(tag)?.language);
      const ties = post.tags.filter((tag) => tag.startsWith('translation-'));
      expect(ties).toEqual([`translation-${post.key}`]);
      groups.set(post.key, [...(groups.get(post.key) ?? []), post.language]);
    }
    expect([...groups.values()].every((languages) => languages.join() === LANGUAGES.join())).toBe(true);
  });

  it('leave three excerpts to the interface and pin at most one post per language', () => {
    expect(content.posts.filter(({ excerpt }) => excerpt === undefined)).toHaveLength(3);
    for (const language of LANGUAGES) {
      expect(content.posts.filter((post) => post.sticky && post.language === language).length).toBeLessThanOrEqual(1);
    }
  });

  it('link only to posts of their own language, and at least four in each language do', () => {
    const languageOf = new Map(content.posts.map((post) => [post.slug, post.language]));
    for (const language of LANGUAGES) {
      const linking = content.posts.filter((post) => post.language === language && post.body.includes('"{site}/'));
      expect(linking.length).toBeGreaterThanOrEqual(4);
    }
    for (const { body, language } of content.posts) {
      for (const [, slug = ''] of body.matchAll(/\{site\}\/([^/"]+)\//g))
        expect(languageOf.get(slug), slug).toBe(language);
    }
  });

  it('name item numbers and products that exist', () => {
    const numbers = new Map<string, Set<string>>();
    for (const record of Object.values(content.products).flatMap((versions) => Object.values(versions))) {
      const number = record.item_number ?? '';
      numbers.set(number, (numbers.get(number) ?? new Set()).add(record.name));
    }
    for (const { body, slug } of [...content.posts, ...content.pages]) {
      for (const [number] of body.matchAll(/HW-\d+/g)) expect(numbers.has(number), `${slug}: ${number}`).toBe(true);
      for (const [, name = '', number = ''] of body.matchAll(/([A-Z]{6,}(?: [\p{L}\d/-]+)+) \((HW-\d+)/gu)) {
        expect([...(numbers.get(number) ?? [])], `${slug}: ${name}`).toContain(name);
      }
    }
  });
});

describe('pages', () => {
  it('come in six keys and three languages, told apart by the prefix of their slug', () => {
    expect(content.pages).toHaveLength(18);
    for (const { language, slug } of content.pages) {
      const prefix = language === 'de-de' ? '' : `${language.slice(0, 2)}-`;
      expect(/^(en|fr)-/.exec(slug)?.[0] ?? '', slug).toBe(prefix);
    }
  });

  it('hang below pages that exist', () => {
    const keys = new Set(content.pages.map(({ key, language }) => `${key} ${language}`));
    const children = content.pages.filter(({ parent }) => parent !== undefined);
    expect(children).toHaveLength(12);
    for (const { parent, language } of children) expect(keys.has(`${parent} ${language}`)).toBe(true);
  });

  it('are grouped by translation in the README as they are', async () => {
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8');
    const topics = Object.values(Object.groupBy(content.pages, ({ key }) => key));
    for (const versions of topics) expect(readme).toContain(`- [${versions?.map(({ slug }) => slug).join(', ')}]`);
  });
});

describe('terms and media', () => {
  it('have categories in two levels, the parents being there', () => {
    const slugs = new Set(content.categories.map(({ slug }) => slug));
    const parents = content.categories.flatMap(({ parent }) => parent ?? []);
    expect(parents.length).toBeGreaterThanOrEqual(2);
    expect(parents.every((parent) => slugs.has(parent))).toBe(true);
    expect(unique([...content.categories, ...content.tags].map(({ slug }) => slug))).toBe(true);
  });

  it('describe each motif in every language', async () => {
    const files = await readdir(join(FOLDER, 'media/motifs'));
    expect(content.media.map(({ key }) => `${key}.jpg`).toSorted()).toEqual(files.toSorted());
    for (const { key: _, ...texts } of content.media)
      for (const text of Object.values(texts)) expect(Object.keys(text)).toEqual(LANGUAGES);
  });

  it('are referred to by keys that exist', () => {
    const keys = new Set(content.media.map(({ key }) => key));
    for (const { featured, body, slug } of [...content.posts, ...content.pages]) {
      if (featured) expect(keys.has(featured), slug).toBe(true);
      for (const [, key = ''] of body.matchAll(/\{media:([^}]+)\}/g))
        expect(keys.has(key), `${slug}: ${key}`).toBe(true);
      for (const [image] of body.matchAll(/<img[^>]*>/g)) expect(image).toMatch(/ alt="[^"]{10,}"/);
    }
  });
});

describe('a mistake in the content', () => {
  let copy: string;

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'demo-content-'));
  });
  afterAll(() => rm(copy, { recursive: true }));

  it.each([
    [
      'posts/summer-heat.de-de.html',
      'slug: ',
      'slug: Nicht Erlaubt ',
      /summer-heat\.de-de\.html.*\n {2}slug is not a slug/,
    ],
    ['media.yaml', 'alt:', 'alternative:', /media\.yaml.*\n {2}\[0\]\.alt is missing/],
    ['pages/contact.fr-fr.html', '---', '', /contact\.fr-fr\.html: has no front matter/],
    ['products.json', '"media/', '"https://media/', /products\.json.*\n {2}\d+\.de-de\.datasheet is neither empty nor/],
    ['podcast/test-day.de-de.yaml', 'guid: ', 'guid: x', /test-day\.de-de\.yaml.*\n {2}guid /],
  ])('in %s is told with file and field', async (file, right, wrong, message) => {
    const folder = join(copy, String(file).replaceAll('/', '-'));
    await cp(FOLDER, folder, {
      recursive: true,
      filter: (path) => !/demo\/media\/|podcast\/(audio|covers)/.test(path),
    });
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(right, wrong));
    await expect(readDemoContent(folder)).rejects.toThrow(message);
  });
});
