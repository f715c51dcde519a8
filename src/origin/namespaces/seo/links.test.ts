import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { content, term } from '#origin/platform/store/schema.ts';
import { loadLinks } from './links.ts';
import { openSeoSite, OPEN_TIMEOUT_MS, type SeoSite } from './testing/seo-site.ts';

let site: SeoSite;
beforeAll(async () => {
  site = await openSeoSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

beforeEach(async () => {
  for (const table of [content, term]) await site.context.store.db.delete(table);
});

const incoming = async (path: string) => (await loadLinks(site.context)).countIncoming(site.context.publicUrl + path);

let number = 0;
async function addPost(fields: Record<string, unknown> = {}, base = 'posts') {
  number += 1;
  const { id } = await site.write('POST', `core/v2/${base}`, {
    title: `Post ${number}`,
    slug: `post-${number}`,
    status: 'publish',
    content: '<p>Text</p>',
    ...fields,
  });
  return id;
}
const linkTo = (...paths: string[]) => paths.map((path) => `<p><a href="${path}">x</a></p>`).join('\n');

it('links count towards the page they lead to, each text once, and not for the page itself', async () => {
  await addPost({ slug: 'target' });
  const { publicUrl } = site.context;
  await addPost({
    slug: 'source',
    content: `${linkTo(`${publicUrl}/target/`, '/target', '/target/?a=1#b', '#top', '/source/?x=1')}
      <a class=x href='https://example.org/target/'>x</a><A CLASS="a" HREF=/single>x</A><a href='/quoted/'>x</a>
      <a href="mailto:a@example.org">x</a><area href="/area/"><a data-href="/data/">x</a>`,
  });
  const paths = ['/target/', '/source/', '/single/', '/quoted/', '/area/', '/data/'];
  expect(await Promise.all(paths.map(incoming))).toEqual([1, 0, 1, 1, 0, 0]);
});

it('links stop counting with the text, the status and the row that have them', async () => {
  await addPost({ slug: 'target' });
  const [a, b, c] = [
    await addPost({ content: linkTo('/target/') }),
    await addPost({ content: linkTo('/target/') }),
    await addPost({ content: linkTo('/target/') }),
  ];
  expect(await incoming('/target/')).toBe(3);
  await site.write('POST', `core/v2/posts/${a}`, { content: '<p>None any more</p>' });
  expect(await incoming('/target/')).toBe(2);
  await site.write('POST', `core/v2/posts/${b}`, { status: 'draft' });
  expect(await incoming('/target/')).toBe(1);
  await site.write('DELETE', `core/v2/posts/${c}?force=true`);
  expect(await incoming('/target/')).toBe(0);
  await site.write('POST', `core/v2/posts/${b}`, { status: 'publish' });
  expect(await incoming('/target/')).toBe(1);
  await site.write('POST', `core/v2/posts/${b}`, { password: 'secret' });
  expect(await incoming('/target/')).toBe(0);
});

it('links in descriptions of terms count, as do links to terms', async () => {
  await addPost({ slug: 'target' });
  const { id } = await site.write('POST', 'core/v2/categories', { name: 'News', description: linkTo('/target/') });
  await addPost({ content: linkTo('/Category/News') });
  expect([await incoming('/target/'), await incoming('/category/news/')]).toEqual([1, 1]);
  await site.write('DELETE', `core/v2/categories/${id}?force=true`);
  expect(await incoming('/target/')).toBe(0);
});

it.each(['<a ', '<a href="', "<a href='x", '<a '.padEnd(500, 'x '), '<a\n', '<a href = '])(
  'hostile texts are read in linear time: %j',
  async (piece) => {
    await site.addContent({
      type: 'post',
      status: 'publish',
      slug: 'h',
      content: piece.repeat(1_000_000 / piece.length),
    });
    const start = performance.now();
    await incoming('/target/');
    expect(performance.now() - start).toBeLessThan(5000);
  },
);
