import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPageKind, PAGE_KINDS } from '#e2e/page-kinds.ts';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { createPageWeigher } from '#e2e/weigh-page.ts';
import { LANGUAGES, makeCatalogue } from './fixtures/make-catalogue.ts';
import { makeEpisodes } from './fixtures/make-episodes.ts';

// Only with `npm run soak`.
const PRODUCTS = 5_000;
/** Per language: a podcast of three years with episodes of an hour. */
const EPISODES = 1_000;
const KB = 1024;
/** Apps and directories reject or truncate larger feeds. */
const MAX_FEED_BYTES = 2_000_000;

/** Compressed size budgets by files of a language that are loaded one at a time. */
const FILE_BUDGETS: Record<string, { pattern: RegExp; bytes: number }> = {
  'values to filter by, of a family': { pattern: /\/products\/[^/]+\/facets\.json$/, bytes: 40 * KB },
  'records to search': { pattern: /_search\/[^/]+\/index\.json$/, bytes: 150 * KB },
  'words to search, of a part of the alphabet': { pattern: /_search\/[^/]+\/words-\d+\.json$/, bytes: 60 * KB },
};

let project: ProjectCopy;
let dist: string;

beforeAll(async () => {
  project = await copyProject();
  await project.configure({ shareImages: false });
  dist = path.join(project.folder, 'dist');
  const home = path.join(project.folder, '.sortiment');
  makeCatalogue(path.join(home, 'snapshot.sqlite'), {
    articles: await makeEpisodes(LANGUAGES, { count: EPISODES, assetsFolder: path.join(home, 'assets') }),
    pages: PRODUCTS * LANGUAGES.length,
    change: (record) => ({ ...record, datasheet: `https://files.example/${record.gtin}-${record.language}.pdf` }),
  });
  const { code, stdout, stderr } = await project.run('build', ['--json'], { SORTIMENT_OFFLINE: '1' });
  expect(code, stdout + stderr).toBe(0);
}, 900_000);

afterAll(() => project.remove());

describe(`a catalogue of ${PRODUCTS} products and ${EPISODES} episodes in ${LANGUAGES.length} languages`, () => {
  it('has a page for each, and none heavier than its kind may be', { timeout: 600_000 }, async () => {
    const pages = await listHtmlPages(dist);
    expect(pages.filter((page) => findPageKind(page) === 'product')).toHaveLength(PRODUCTS * LANGUAGES.length);
    const weigh = createPageWeigher(dist);
    const heavy: string[] = [];
    for (const page of pages) {
      const { htmlBytes } = await weigh(page);
      const budget = PAGE_KINDS[findPageKind(page)].htmlBytes;
      if (htmlBytes > budget) heavy.push(`${page}: ${htmlBytes} of ${budget} bytes`);
    }
    expect(heavy).toEqual([]);
  });

  it('has a page, a player for other sites and files for each episode, and a feed that apps take', async () => {
    const pages = Map.groupBy(await listHtmlPages(dist), findPageKind);
    for (const kind of ['episode', 'episode-embed'] as const)
      expect([kind, pages.get(kind)?.length]).toEqual([kind, EPISODES * LANGUAGES.length]);
    for (const language of LANGUAGES) {
      const files = readdirSync(path.join(dist, language, 'podcast')).filter((file) => file.endsWith('.xml'));
      const feeds = files.map((file) => path.join(dist, language, 'podcast', file));
      expect(feeds.filter((file) => statSync(file).size > MAX_FEED_BYTES)).toEqual([]);
      const items = feeds.flatMap((file) => readFileSync(file, 'utf8').match(/<item>/g) ?? []);
      expect(items).toHaveLength(EPISODES);
    }
  });

  it.for(Object.entries(FILE_BUDGETS))('keeps each file within budget: %s', ([, { pattern, bytes }]) => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(`/${file}`));
    expect(LANGUAGES.filter((language) => !files.some((file) => file.includes(language)))).toEqual([]);
    const heavy = files
      .map((file) => ({ file, weight: gzipSync(readFileSync(path.join(dist, file))).length }))
      .filter(({ weight }) => weight > bytes);
    expect(heavy).toEqual([]);
  });
});
