import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
const ids: Record<string, number> = {};

/** All rows have the same timestamp. */
beforeAll(async () => {
  site = await openTestSite();
  const category = (ids['category'] = await site.addTerm({ name: 'Kits' }));
  ids['first'] = await site.addContent({ format: 'video' }, [category]);
  ids['second'] = await site.addContent({ format: 'video' }, [category]);
  ids['draft'] = await site.addContent({ status: 'draft' });
  ids['root'] = await site.addContent({ type: 'page' });
  ids['child'] = await site.addContent({ type: 'page', parentId: ids['root'] });
  ids['sibling'] = await site.addContent({ type: 'page', parentId: ids['root'] });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

test.each([
  ['posts', ['second', 'first']],
  ['posts?order=asc', ['first', 'second']],
  ['posts?tags_exclude=999', ['second', 'first']],
  ['posts?status=publish,draft', ['first', 'second', 'draft']],
  ['posts?status=any', ['first', 'second', 'draft']],
  ['posts?format=video', ['first', 'second']],
  ['posts?categories={category}', ['first', 'second']],
  ['pages', ['sibling', 'child', 'root']],
  ['pages?parent={root}', ['child', 'sibling']],
])('what is of one moment comes in a fixed order: %s', async (path, expected) => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  const { body } = await site.fetch(`/core/v2/${address}`, { as: 'administrator' });
  expect((body as { id: number }[]).map(({ id }) => id)).toEqual(expected.map((name) => ids[name]));
});
