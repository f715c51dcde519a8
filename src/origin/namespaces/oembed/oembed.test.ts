import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { oembed } from './serve-oembed.ts';

let site: TestSite;
let provider: Server;
let foreign = '';
let asked: string[] = [];
const ids: Record<string, number> = {};

beforeAll(async () => {
  provider = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/answer')) {
      const html =
        '<script>alert(1)</script><iframe src="https://x.test/f" onload="x()"></iframe><img src=x onerror=x>';
      response.end(JSON.stringify({ version: '1.0', type: 'rich', title: 'Film', width: '400', html, cookie: 'x' }));
    } else if (request.url === '/loop') {
      response.end('<link rel="alternate" type="application/json+oembed" href="http://169.254.169.254/secret">');
    } else {
      const link = '<link rel="alternate" type="application/json+oembed" href="/answer?id=1&amp;x=2">';
      response.end(request.url === '/page' ? `<head>${link}</head>` : '<p>nothing here</p>');
    }
  });
  await new Promise<void>((opened) => void provider.listen(0, '127.0.0.1', opened));
  foreign = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  // Allows only this test's provider on loopback.
  const read: typeof guardedFetch = (address, options) =>
    guardedFetch(address, { ...options, allowPrivate: String(address).startsWith(foreign) });
  site = await openTestSite({}, [oembed(read)]);

  ids['landscape'] = await site.addContent({
    type: 'attachment',
    status: 'inherit',
    slug: 'landscape',
    mimeType: 'image/jpeg',
    file: '2026/01/landscape.jpg',
    mediaDetails: {
      width: 1800,
      height: 1200,
      sizes: {
        medium: { file: 'landscape-300x200.jpg', width: 300, height: 200, mime_type: 'image/jpeg' },
        medium_large: { file: 'landscape-768x512.jpg', width: 768, height: 512, mime_type: 'image/jpeg' },
      },
    },
  });
  ids['post'] = await site.addContent({
    slug: 'first',
    title: 'First & <em>best</em>',
    content: '<p>Some text.</p>',
    featuredMedia: ids['landscape'],
  });
  ids['draft'] = await site.addContent({ slug: '', status: 'draft' });
  await site.addContent({ slug: 'hidden', status: 'private' });
  await site.addContent({ slug: 'locked', title: 'Locked', content: '<p>Secret.</p>', password: 'key' });
  const parent = await site.addContent({ type: 'page', slug: 'about' });
  await site.addContent({ type: 'page', slug: 'team', title: 'Team', parentId: parent });
}, OPEN_TIMEOUT_MS);
afterAll(async () => {
  await site.close();
  provider.closeAllConnections();
  provider.close();
});

const ask = (route: string, query: Record<string, string>, as?: 'contributor' | 'subscriber') =>
  site.fetch(`/oembed/1.0/${route}?${new URLSearchParams(query)}`, as ? { as } : {});
const own = (path: string) => `${site.context.publicUrl}${path}`;

describe('own content', () => {
  test('has an author, an image and a sandboxed frame', async () => {
    const { body, status } = await ask('embed', { url: own('/first/') });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: 'First &#038; <em>best</em>',
      provider_name: 'Dach &amp; Wand',
      author_name: 'editor',
      width: 600,
      height: 338,
      thumbnail_url: own('/uploads/2026/01/landscape-768x512.jpg'),
      thumbnail_width: 600,
      thumbnail_height: 400,
    });
    const { html } = body as { html: string };
    expect(html).toContain(`src="${own('/first/embed/')}"`);
    expect(html).not.toMatch(/<script|allow-scripts|allow-same-origin/);
  });

  test.each([
    ['100', 200, 200],
    ['400', 400, 225],
    ['-300', 300, 200],
    ['abc', 200, 200],
    ['900', 600, 338],
  ])('at most %s wide', async (maxwidth, width, height) => {
    expect((await ask('embed', { url: own('/first/'), maxwidth })).body).toMatchObject({ width, height });
  });

  test.each([
    ['without its slash', '/first', 200],
    ['by its id', '?p=POST', 200],
    ['a page below another', '/about/team/', 200],
    ['a page without the one above it', '/team/', 404],
    ['a media item', '/landscape/', 200],
    ['the home page', '/', 404],
    ['a draft', '?p=DRAFT', 404],
    ['a private post', '/hidden/', 404],
    ['nothing', '/none/', 404],
  ])('%s', async (_, path, status) => {
    const address = path.replace('POST', String(ids['post'])).replace('DRAFT', String(ids['draft']));
    expect((await ask('embed', { url: own(address) })).status).toBe(status);
  });

  test('is XML on request, including errors', async () => {
    const read = async (query: string) => {
      const response = await fetch(own(`/rest/oembed/1.0/embed?format=xml${query}`));
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    const found = await read(`&url=${encodeURIComponent(own('/first/'))}`);
    expect(found).toMatchObject({ status: 200, type: 'text/xml; charset=UTF-8' });
    expect(found.text).toMatch(/^<\?xml version="1.0"\?>\n<oembed><version>1.0<\/version>/);
    expect(found.text).toContain('<title>First &amp;#038; &lt;em&gt;best&lt;/em&gt;</title>');
    expect((await read('')).text).toContain('<params><oembed>url</oembed></params>');
  });

  test('has a card without scripts and protected texts', async () => {
    const response = await fetch(own('/first/embed/'));
    const card = await response.text();
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors \*/);
    expect(card).toContain(`<a href="${own('/first/')}" target="_top">`);
    expect(card).toContain('Some text.');
    const locked = await (await fetch(own('/locked/embed/'))).text();
    expect(locked).toContain('Protected: Locked');
    expect(locked).not.toContain('Secret');
    expect((await fetch(own('/hidden/embed/'))).status).toBe(404);
  });
});

describe('the proxy', () => {
  test('requires the right to edit posts', async () => {
    expect(await ask('proxy', { url: own('/first/') })).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden' },
    });
    expect((await ask('proxy', { url: own('/first/') }, 'subscriber')).status).toBe(403);
    expect((await ask('proxy', { url: own('/first/') }, 'contributor')).body).toMatchObject({ type: 'rich' });
  });

  test('fetches the response of another site once a day and sanitizes it', async () => {
    asked = [];
    const { body } = await ask('proxy', { url: `${foreign}/page`, maxwidth: '500' }, 'contributor');
    await ask('proxy', { url: `${foreign}/page`, maxwidth: '500' }, 'contributor');
    expect(asked).toEqual(['/page', '/answer?id=1&x=2&maxwidth=500']);
    expect(body).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'Film',
      width: 400,
      html: '<iframe src="https://x.test/f" sandbox="allow-scripts allow-popups" loading="lazy"></iframe>',
    });
  });

  test.each([
    ['names no answer', () => `${foreign}/plain`],
    ['names an answer inside the network', () => `${foreign}/loop`],
    ['is inside the network', () => 'http://169.254.169.254/latest/'],
    ['is no address', () => 'nope'],
    ['is a file', () => 'file:///etc/passwd'],
  ])('a page that %s is not embedded', async (_, url) => {
    const answer = await ask('proxy', { url: url() }, 'contributor');
    expect(answer).toMatchObject({ status: 404, body: { code: 'oembed_invalid_url' } });
  });

  test('sends no request if discovery is disabled', async () => {
    asked = [];
    const answer = await ask('proxy', { url: `${foreign}/page?other`, discover: 'false' }, 'contributor');
    expect({ status: answer.status, asked }).toEqual({ status: 404, asked: [] });
  });
});
