import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSiteServer, type SiteServer } from '#build/serve/start-site-server.ts';
import { createProduct, languages, writeSnapshot } from '#catalogue/testing/write-snapshot.ts';
import { auditSearch, readSitemap } from '#e2e/audit-search.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { parsePage, type ParsedPage } from '#e2e/parse-page.ts';

const GTIN = '9524010000016';
const UNTRANSLATED = '9524010000023';
const WIDTH_PX = 360;

let project: ProjectCopy;
let pages: ParsedPage[];
let html: Map<string, string>;
let server: SiteServer;

const record = (language: string, name: string, gtin = GTIN) => ({
  language,
  family: 'membranes',
  position: gtin === GTIN ? 0 : 1,
  record: createProduct({
    name,
    gtin,
    language,
    application: '<p>Text</p>',
    attributes: [{ name: 'sd', norm: 'EN 1931', value: '0,25 – 25 m' }],
  }),
});

/** A site in German, in Arabic with its own texts, and in Hebrew without. */
beforeAll(async () => {
  project = await copyProject();
  const { folder } = project;
  const strings = path.join(folder, 'content/strings');
  // The content doesn't matter: the file's existence enables the language.
  writeFileSync(path.join(strings, 'ar.json'), readFileSync(path.join(strings, 'en.json')));
  writeSnapshot(
    {
      products: [
        record('de-de', 'Bahn'),
        record('ar-ae', 'غشاء'),
        record('he-il', 'יריעה'),
        record('de-de', 'Band', UNTRANSLATED),
      ],
      records: {
        language: languages('de-de', 'ar-ae', 'he-il'),
        family: [{ id: 'membranes', record: { id: 'membranes', names: { de: 'Bahnen' }, descriptions: {} } }],
      },
    },
    folder,
  );
  const { code, stdout, stderr } = await project.run('build', [], { SORTIMENT_OFFLINE: '1' });
  expect(code, stdout + stderr).toBe(0);
  const dist = path.join(folder, 'dist');
  const read = (page: string) => readFileSync(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8');
  html = new Map((await listHtmlPages(dist)).map((page) => [page, read(page)]));
  pages = [...html].map(([page, text]) => parsePage(page, text));
  server = await startSiteServer({ distFolder: dist, host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await project.remove();
});

const pageOf = (language: string, gtin: string): string =>
  [...html].find(([page]) => page.startsWith(`/${language}/p/`) && page.endsWith(`${gtin}/`))?.[1] ?? '';

describe('a language that is written from right to left', () => {
  it('has all of its pages run that way', () => {
    const arabic = [...html].filter(([page]) => page.startsWith('/ar-ae/'));
    expect(arabic.length).toBeGreaterThanOrEqual(5);
    expect(arabic.filter(([, text]) => !text.includes('<html lang="ar-AE" dir="rtl"')).map(([page]) => page)).toEqual(
      [],
    );
  });

  it('is told to search engines like any other', () => {
    const addresses = readSitemap(path.join(project.folder, 'dist'));
    expect(auditSearch(pages, addresses, 'http://localhost:4321').problems).toEqual([]);
  });

  it('marks what is there in another language only', () => {
    const fallback = pageOf('ar-ae', UNTRANSLATED);
    expect(fallback).toMatch(/<h1 lang="de-DE"[^>]*>Band<\/h1>/);
    expect(fallback).toMatch(/<meta name="robots" content="noindex\b/);
  });

  it('without texts of its own has those of the main language, says so, and marks the product', () => {
    const hebrew = pageOf('he-il', GTIN);
    expect(hebrew).toContain('<html lang="de-DE" dir="ltr"');
    expect(hebrew).toMatch(/<h1 lang="he-IL"[^>]*>יריעה<\/h1>/);
  });

  it('fits into a narrow window, and each text runs its own way', { timeout: 120_000 }, async () => {
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage({ viewport: { width: WIDTH_PX, height: 800 } });
      const wide: string[] = [];
      for (const { path: page } of pages.filter(
        ({ path: place, metas }) => place.startsWith('/ar-ae/') && metas.has('og:type'),
      )) {
        await tab.goto(server.url + encodeURI(page));
        const width = await tab.evaluate(() => document.documentElement.scrollWidth);
        if (width > WIDTH_PX) wide.push(`${page}: ${width} px`);
      }
      expect(wide).toEqual([]);
      const directionOf = async (language: string, gtin: string) => {
        const page = pages.find(({ path: place }) => place.startsWith(`/${language}/p/`) && place.endsWith(`${gtin}/`));
        await tab.goto(server.url + encodeURI(page?.path ?? ''));
        return tab.evaluate(() => {
          const heading = document.querySelector('h1');
          return [document.body, heading ?? document.body].map((element) => getComputedStyle(element).direction);
        });
      };
      expect(await directionOf('ar-ae', GTIN)).toEqual(['rtl', 'rtl']);
      expect(await directionOf('ar-ae', UNTRANSLATED)).toEqual(['rtl', 'ltr']);
      expect(await directionOf('he-il', GTIN)).toEqual(['ltr', 'rtl']);
    } finally {
      await browser.close();
    }
  });
});

describe('the style sheets', () => {
  it('name no side by left or right', () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    const sided =
      /(?:^|[\s;{])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right|border-(?:top|bottom)-(?:left|right)-radius)(?:-\w+)?\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)/m;
    expect(files.filter((file) => sided.test(readFileSync(path.join(folder, file), 'utf8')))).toEqual([]);
  });
});
