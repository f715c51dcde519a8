import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, inject, it } from 'vitest';
import { validateHtml } from '#files/testing/validate-html.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { findPageKind } from './page-kinds.ts';

const dist = path.join(inject('projectFolder'), 'dist');
const pages = await listHtmlPages(dist);

// All pages in a soak; otherwise six of each kind.
it('every page of the catalogue is valid HTML', async () => {
  const byKind = [...Map.groupBy(pages, findPageKind).values()];
  const chosen = process.env['SORTIMENT_SOAK'] ? pages : byKind.flatMap((group) => evenly(group, 6));
  const problems: string[] = [];
  for (const page of chosen) {
    const text = await readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8');
    // A form that updates while it is filled in needs no submit button.
    const found = await validateHtml(text, { 'wcag/h32': 'off', 'no-inline-style': 'error' });
    problems.push(...found.map((problem) => `${page}:${problem}`));
  }
  expect(problems).toEqual([]);
}, 600_000);

/** Returns evenly spread items of a list. */
function evenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return Array.from({ length: Math.min(count, list.length) }, (_, i) => list[Math.floor(i * step)]).filter(
    (one) => one !== undefined,
  );
}
