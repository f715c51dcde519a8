import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_HTML, renderInBrowser } from '#e2e/hostile-html.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [site, browser] = await Promise.all([openTestSite(), launchBrowser()]);
  page = await browser.newPage();
}, OPEN_TIMEOUT_MS);
afterAll(() => Promise.all([site.close(), browser.close()]));

const ELEMENTS = new Set(['script', 'iframe', 'object', 'embed', 'svg', 'base', 'link', 'meta', 'style', 'form']);

/** Lists what could run in an element. Browsers load nothing from `data-*`; a sync checks the addresses that it reads there. */
function findDanger(name: string, attributes: Record<string, string>): string[] {
  const dangerous = Object.entries(attributes).filter(
    ([key, value]) =>
      /^(on|srcdoc|formaction)/.test(key) ||
      (!key.startsWith('data-') && /^(javascript|vbscript|data):/i.test(value.replaceAll(/[\s\p{Cc}]/gu, ''))),
  );
  return [...(ELEMENTS.has(name) ? [name] : []), ...dangerous.map(([key, value]) => `${name} ${key}=${value}`)];
}

/** Every text that a row shows. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

async function post(path: string, as: 'author' | 'contributor' | 'editor', fields: object): Promise<unknown> {
  const answer = await site.fetch(path, {
    method: 'POST',
    as,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(answer.status, answer.text).toBeLessThan(500);
  return answer.body;
}

async function expectHarmless(shown: readonly string[], what: string): Promise<void> {
  for (const html of shown) {
    const { ran, elements } = await renderInBrowser(page, html);
    expect(ran, `${what} ran in ${html}`).toBe(false);
    expect(
      elements.flatMap(({ name, attributes }) => findDanger(name, attributes)),
      what,
    ).toEqual([]);
  }
}

/** Roles that may write posts without unfiltered HTML. Each tests a share of the cases, and all of them in a soak. */
const ROLES = ['author', 'contributor'] as const;

describe.each(ROLES)('of an %s', (role) => {
  it('no field of a post runs, whatever is written into it', { timeout: 120_000 }, async () => {
    const share = HOSTILE_HTML.filter((_, i) => process.env['SORTIMENT_SOAK'] || ROLES[i % ROLES.length] === role);
    for (const html of share) {
      const fields = { title: html, content: html, excerpt: html, meta: { footnotes: html } };
      const {
        id: _,
        guid: __,
        link: ___,
        ...row
      } = (await post('/core/v2/posts', role, fields)) as Record<string, unknown>;
      await expectHarmless(
        ['title', 'content', 'excerpt'].flatMap((field) => {
          const { rendered } = (row[field] ?? {}) as { rendered?: string };
          return rendered ?? [];
        }),
        html,
      );
    }
  });
});

it('no field of a term runs', async () => {
  for (const [i, html] of HOSTILE_HTML.entries()) {
    const row = (await post('/core/v2/tags', 'editor', { name: `${i} ${html}`, description: html })) as Record<
      string,
      unknown
    >;
    await expectHarmless(textsOf([row['name'], row['description']]), html);
  }
});

it.each(['author', 'editor'] as const)('no field of a comment of an %s runs', async (role) => {
  const about = await site.addContent({});
  for (const html of HOSTILE_HTML) {
    const fields = { post: about, content: html, author_name: html, author_email: 'reader@origin.test' };
    const row = (await post('/core/v2/comments', role, fields)) as { content?: { rendered: string } };
    await expectHarmless(textsOf(row.content?.rendered), html);
  }
});
