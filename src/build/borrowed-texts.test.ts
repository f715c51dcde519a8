import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { copyProject, type ProjectCopy } from '#e2e/project-copy.ts';
import { writeTestCatalogue } from './testing/test-catalogue.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Start of every German text that English lacks. */
const SIGN = '§';

let project: ProjectCopy;
/** Files of the built site with texts. */
let files: Map<string, string>;

/** Builds a site whose English lacks every second text, and the names and descriptions of families. */
beforeAll(async () => {
  project = await copyProject();
  await writeTestCatalogue(project.folder, 0.1);
  const read = (id: string) =>
    JSON.parse(readFileSync(path.join(project.folder, `content/strings/${id}.json`), 'utf8')) as Record<string, string>;
  const write = (id: string, texts: object) =>
    writeFileSync(path.join(project.folder, `content/strings/${id}.json`), JSON.stringify(texts));
  const [german, english] = [read('de'), read('en')];
  const keys = Object.keys(english).filter((key) => !key.startsWith('unit.'));
  const missing = new Set(keys.filter((_, i) => i % 2 === 0));
  write('en', Object.fromEntries(Object.entries(english).filter(([key]) => !missing.has(key))));
  write(
    'de',
    Object.fromEntries(Object.entries(german).map(([key, text]) => [key, missing.has(key) ? SIGN + text : text])),
  );
  const database = new DatabaseSync(path.join(project.folder, '.sortiment/snapshot.sqlite'));
  const germanOnly = JSON.stringify({ de: `${SIGN}Bänder` });
  database
    .prepare(
      `UPDATE records SET record = json_set(record, '$.names', json(?), '$.descriptions', json(?)) WHERE kind = 'family'`,
    )
    .run(germanOnly, germanOnly);
  database.exec(`UPDATE meta SET value = hex(randomblob(8)) WHERE key = 'digest'`);
  database.close();
  const { code, stdout, stderr } = await project.run('build', [], { SORTIMENT_OFFLINE: '1' });
  expect(code, stdout + stderr).toBe(0);
  const dist = path.join(project.folder, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  files = new Map(
    names
      .filter((name) => /\.(?:html|xml|json|md|txt|csv)$/.test(name))
      .map((name) => [name, readFileSync(path.join(dist, name), 'utf8')]),
  );
});
afterAll(() => project.remove());

/** Returns the visible texts with the language that applies to them. */
function visibleTexts(html: string): { text: string; lang: string }[] {
  const texts: { text: string; lang: string }[] = [];
  const open: { name: string; lang: string }[] = [];
  const parser = new Parser({
    onopentag: (name, { lang }) => open.push({ name, lang: lang ?? open.at(-1)?.lang ?? '' }),
    onclosetag: () => open.pop(),
    ontext: (text) => {
      const hidden = open.some(({ name }) => ['head', 'script', 'style', 'textarea', 'title'].includes(name));
      if (!hidden && text.trim() !== '') texts.push({ text, lang: open.at(-1)?.lang ?? '' });
    },
  });
  parser.end(html);
  return texts;
}

it('every visible text from another language has that language', () => {
  const pages = [...files].filter(([name, text]) => name.startsWith('en-gb/') && text.includes('<html lang="en-GB"'));
  expect(pages.length).toBeGreaterThan(20);
  let borrowed = 0;
  for (const [name, html] of pages) {
    const texts = visibleTexts(html).filter(({ text }) => text.includes(SIGN));
    borrowed += texts.length;
    expect(
      texts.filter(({ lang }) => !lang.startsWith('de')),
      name,
    ).toEqual([]);
  }
  expect(borrowed).toBeGreaterThan(500);
});

it('headings, links and breadcrumbs with the name of a family have its language', () => {
  const english = (name: string) => files.get(`en-gb/${name}index.html`) ?? '';
  const label = `<span lang="de-DE" dir="ltr">${SIGN}Bänder</span>`;
  const [product = ''] = [...files.keys()].filter((name) => name.startsWith('en-gb/p/') && name.endsWith('.html'));
  expect(english('products/tapes/')).toContain(`<h1>${label}</h1>`);
  expect(english('products/tapes/')).toContain(`<title>${SIGN}Bänder`);
  for (const page of [english('products/'), english('search/'), files.get(product) ?? ''])
    expect(page).toMatch(new RegExp(`<a href="/en-gb/products/[^"]*"[^>]*>\\s*${label}`));
});

it('no file contains marks', () => {
  const marks = /[\uFDD0-\uFDD2]|%EF%B7%9/;
  expect([...files].filter(([, text]) => marks.test(text)).map(([name]) => name)).toEqual([]);
});

it('pages in a complete language have no further elements', () => {
  const german = [...files].filter(([name]) => name.startsWith('de-de/') && name.endsWith('.html'));
  expect(german.filter(([, html]) => html.includes(' dir="ltr">' + SIGN)).map(([name]) => name)).toEqual([]);
});
