import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  await site.addContent({ slug: 'kit', title: 'Kit "new"' });
  await site.addContent({ slug: 'locked', title: 'Locked', password: 'x', content: 'Secret words' });
  await site.addContent({ slug: 'draft', title: 'Secret plan', status: 'draft' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function show(content: string) {
  const id = await site.addContent({ content: content.replaceAll('{site}', site.context.publicUrl) });
  const { body } = await site.fetch(`/core/v2/posts/${id}`);
  const { content: shown, excerpt } = body as Record<'content' | 'excerpt', { rendered: string }>;
  return { html: shown.rendered, excerpt: excerpt.rendered };
}

test('the address of a post on a line of its own is a link to it, and a frame', async () => {
  const { html, excerpt } = await show('Before\n\n{site}/kit/\n\nAfter');
  expect(html).toMatch(
    /^<p>Before<\/p>\n<blockquote [^>]*><p><a [^>]*>Kit &#8220;new&#8221;<\/a><\/p><\/blockquote>\n/,
  );
  expect(html).toContain(`src="${site.context.publicUrl}/kit/embed/#?secret=`);
  expect(html).toMatch(/<\/iframe><\/p>\n<p>After<\/p>\n$/);
  expect(excerpt).toBe('<p>Before Kit &#8220;new&#8221; After</p>\n');
});

test.each([
  ['inside a sentence', 'See {site}/kit/ for more'],
  ['of another site', 'https://example.org/kit/'],
  ['of nothing', '{site}/none/'],
  ['of what is not public', '{site}/draft/'],
])('an address %s stays one', async (_, content) => {
  const { html } = await show(`Before\n\n${content}\n\nAfter`);
  expect(html).not.toContain('<iframe');
  expect(html).not.toContain('Secret');
});

test('embeds of protected posts show their title only', async () => {
  const { html } = await show('{site}/locked/');
  expect(html).toContain('Protected: Locked');
  expect(html).not.toContain('Secret words');
});

test('an address inside a tag stays one', async () => {
  const { html } = await show('<p><img alt="\n{site}/kit/\n" src="https://example.org/a.png"></p>');
  expect(html).not.toContain('<iframe');
  expect(html).toMatch(/^<p><img [^<]*alt="[^"]*\/kit\/[^"]*" src=/);
});
