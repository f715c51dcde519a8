import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestRequest, type TestSite } from '#origin/testing/open-test-site.ts';

let site: TestSite;
const ids: Record<string, number> = {};

const size = (width: number, height: number) => ({
  file: `roof-${width}x${height}.jpg`,
  width,
  height,
  filesize: 10,
  mime_type: 'image/jpeg',
});

beforeAll(async () => {
  site = await openTestSite();
  const add = async (name: string, row: Parameters<TestSite['addContent']>[0]) => {
    const defaults = { slug: name, title: name, status: row.type ? 'publish' : 'inherit', pingStatus: 'closed' };
    ids[name] = await site.addContent({ type: 'attachment', ...defaults, ...row });
  };
  await add('post', { type: 'post' });
  await add('draft', { type: 'post', status: 'draft' });
  await add('roof', {
    mimeType: 'image/jpeg',
    file: '2026/11/roof.jpg',
    altText: 'A "flat" roof',
    excerpt: 'The roof',
    content: 'More of it.',
    parentId: ids['post'] ?? 0,
    date: '2026-11-01 10:00:00',
    mediaDetails: {
      width: 1600,
      height: 1066,
      filesize: 70_497,
      sizes: { thumbnail: size(150, 150), large: size(1024, 682), medium: size(300, 200) },
      image_meta: { orientation: '0' },
    },
  });
  await add('icon', {
    mimeType: 'image/png',
    file: '2026/11/icon.png',
    date: '2026-11-02 10:00:00',
    mediaDetails: { width: 120, height: 90, filesize: 328 },
  });
  await add('scaled', {
    mimeType: 'image/webp',
    file: '2026/11/wide-scaled.webp',
    date: '2026-11-03 10:00:00',
    mediaDetails: { width: 2560, height: 1707, filesize: 87_295, original_image: 'wide.webp' },
  });
  await add('sheet', {
    mimeType: 'application/pdf',
    file: 'sheet.pdf',
    date: '2026-11-04 10:00:00',
    mediaDetails: { filesize: 589 },
  });
  await add('tone', { mimeType: 'audio/mpeg', file: '2026/11/tone.mp3', date: '2026-11-05 10:00:00' });
  await add('clip', {
    mimeType: 'video/mp4',
    file: '2026/11/clip.mp4',
    date: '2026-11-06 10:00:00',
    mediaDetails: { width: 320, height: 240 },
  });
  await add('hidden', {
    mimeType: 'image/png',
    file: 'h.png',
    parentId: ids['draft'] ?? 0,
    date: '2026-11-07 10:00:00',
  });
  await add('orphan', { mimeType: 'image/png', file: 'o.png', parentId: 9999, date: '2026-11-08 10:00:00' });
  await add('private', { mimeType: 'image/png', file: 'p.png', status: 'private', date: '2026-11-09 10:00:00' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const names = (rows: unknown) =>
  (rows as { id: number }[]).map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
const list = (query: string, request: TestRequest = {}) =>
  site.fetch(`/core/v2/media?_fields=id&per_page=50&${fill(query)}`, request);
const read = (name: string, query = '', request: TestRequest = {}) =>
  site.fetch(`/core/v2/media/${ids[name]}?${query}`, request);

const ALL = ['orphan', 'clip', 'tone', 'sheet', 'scaled', 'icon', 'roof'];

describe('lists', () => {
  test.each<[query: string, names: string[]]>([
    ['', ALL],
    ['media_type=audio,application', ['tone', 'sheet']],
    ['media_type=text', []],
    ['mime_type=image/png', ['orphan', 'icon']],
    ['mime_type=image/webp&media_type=video', ['clip', 'scaled']],
    ['mime_type=image/zzz', ALL],
    ['parent={post}', ['roof']],
    ['parent_exclude=0', ['orphan', 'roof']],
    ['search=wide', ['scaled']],
    ['search=wide&search_columns=post_title', []],
  ])('?%s', async (query, expected) => {
    expect(names((await list(query)).body)).toEqual(expected);
  });

  test('what hangs on a draft is for its editors alone, in totals too', async () => {
    expect((await list('')).headers.get('x-wp-total')).toBe('7');
    expect((await list('', { as: 'editor' })).headers.get('x-wp-total')).toBe('8');
    expect(names((await list('parent={draft}', { as: 'editor' })).body)).toEqual(['hidden']);
  });

  test.each<[TestRequest['as'], string, number]>([
    [undefined, 'status=private', 400],
    ['editor', 'status=private', 200],
    ['editor', 'status=any', 400],
    [undefined, 'media_type=model', 400],
    [undefined, 'context=edit', 401],
  ])('%s asks for %s: %i', async (as, query, status) => {
    expect((await list(query, as ? { as } : {})).status).toBe(status);
  });
});

describe('items', () => {
  test('an image with its sizes, each at its address', async () => {
    const { body } = await read('roof');
    const folder = `${site.context.publicUrl}/uploads/2026/11`;
    expect(body).toMatchObject({
      status: 'inherit',
      link: `${site.context.publicUrl}/post/roof/`,
      meta: [],
      caption: { rendered: '<p>The roof</p>\n' },
      alt_text: 'A "flat" roof',
      media_type: 'image',
      media_details: {
        width: 1600,
        height: 1066,
        file: '2026/11/roof.jpg',
        filesize: 70_497,
        sizes: {
          medium: { file: 'roof-300x200.jpg', width: 300, source_url: `${folder}/roof-300x200.jpg` },
          full: {
            file: 'roof.jpg',
            width: 1600,
            height: 1066,
            mime_type: 'image/jpeg',
            source_url: `${folder}/roof.jpg`,
          },
        },
      },
      post: ids['post'],
      source_url: `${folder}/roof.jpg`,
      filename: 'roof.jpg',
      filesize: 70_497,
      _links: { 'wp:attached-to': [{ embeddable: true, post_type: 'post', id: ids['post'] }] },
    });
    for (const name of ['content', 'excerpt', 'missing_image_sizes']) expect(body).not.toHaveProperty(name);
    expect((body as { description: { rendered: string } }).description.rendered).toBe(
      `<p class="attachment"><a href='${folder}/roof.jpg'><img loading="lazy" decoding="async" width="300" height="200" ` +
        `src="${folder}/roof-300x200.jpg" class="attachment-medium size-medium" alt="A &quot;flat&quot; roof" ` +
        `srcset="${folder}/roof-300x200.jpg 300w, ${folder}/roof-1024x682.jpg 1024w, ${folder}/roof.jpg 1600w" ` +
        'sizes="auto, (max-width: 300px) 100vw, 300px" /></a></p>\n<p>More of it.</p>\n',
    );
  });

  test.each([
    ['icon', { media_details: { sizes: {} }, post: null }],
    ['scaled', { filename: 'wide.webp', source_url: expect.stringMatching(/uploads\/2026\/11\/wide-scaled\.webp$/) }],
    [
      'sheet',
      { media_type: 'file', caption: { rendered: '<p>sheet</p>\n' }, media_details: { filesize: 589, sizes: {} } },
    ],
    ['tone', { description: { rendered: expect.stringContaining('<audio') }, filesize: null }],
    ['clip', { description: { rendered: expect.stringContaining('width="320" height="240"') } }],
    ['orphan', { post: 9999, link: expect.stringMatching(/\?attachment_id=\d+$/) }],
  ])('%s', async (name, expected) => {
    expect((await read(name)).body).toMatchObject(expected);
  });

  test.each([
    ['roof', ['medium_large', '1536x1536'], 82],
    ['icon', [], 82],
    ['scaled', ['thumbnail', 'medium', 'medium_large', 'large', '1536x1536', '2048x2048'], 86],
  ])('what is still missing of %s, for its editors', async (name, missing, quality) => {
    expect((await read(name, 'context=edit', { as: 'editor' })).body).toMatchObject({
      missing_image_sizes: missing,
      exif_orientation: 1,
      image_output_format: null,
      image_save_progressive: false,
      image_quality: { default: quality, sizes: [] },
    });
  });

  test.each<[name: string, as: TestRequest['as'], query: string, status: number]>([
    ['hidden', undefined, '', 401],
    ['hidden', 'editor', '', 200],
    ['private', 'author', '', 403],
    ['private', 'editor', '', 200],
    ['icon', 'author', 'context=edit', 403],
    ['post', undefined, '', 404],
  ])('%s for %s with "%s" is %i', async (name, as, query, status) => {
    expect((await read(name, query, as ? { as } : {})).status).toBe(status);
  });

  test('dotted names find nothing inside fields that only media have', async () => {
    expect((await read('icon', '_fields=id,media_details.width,title.rendered')).body).toEqual({
      id: ids['icon'],
      title: { rendered: 'icon' },
    });
  });
});
