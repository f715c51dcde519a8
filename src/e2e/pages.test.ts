import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { findPageKind, PAGE_KINDS, samplePages } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { createPageWeigher } from './weigh-page.ts';

const dist = path.join(inject('projectFolder'), 'dist');
const pages = await listHtmlPages(dist);
/** Pages that work without scripts, and have none. */
const WITHOUT_SCRIPT = ['home', 'product', 'article', 'journal', 'podcast', 'page'] as const;

describe('every page of the catalogue', () => {
  it('is of a kind that has a budget, and the kinds are there', () => {
    expect(Object.keys(samplePages(pages, 'de-de'))).toEqual(expect.arrayContaining([...WITHOUT_SCRIPT]));
  });

  it('stays within the budget of its kind, style sheet and scripts included', async () => {
    const weigh = createPageWeigher(dist);
    const heavy: string[] = [];
    for (const page of pages) {
      const { htmlBytes, cssBytes, scriptBytes } = await weigh(page);
      const budget = PAGE_KINDS[findPageKind(page)];
      if (htmlBytes > budget.htmlBytes) heavy.push(`${page}: ${htmlBytes} bytes of HTML`);
      if (cssBytes > budget.cssBytes) heavy.push(`${page}: ${cssBytes} bytes of CSS`);
      if (scriptBytes > budget.scriptBytes) heavy.push(`${page}: ${scriptBytes} bytes of scripts`);
    }
    expect(heavy).toEqual([]);
  });

  it('has no script where people read', () => {
    for (const kind of WITHOUT_SCRIPT) expect(PAGE_KINDS[kind].scriptBytes, kind).toBe(0);
  });

  it('has no style or handler in its markup, which the policy would block', async () => {
    const blocked: string[] = [];
    for (const page of pages) {
      const text = await readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8');
      if (/<[^>]+\s(?:style|on\w+)="/.test(text)) blocked.push(page);
    }
    expect(blocked).toEqual([]);
  });
});
