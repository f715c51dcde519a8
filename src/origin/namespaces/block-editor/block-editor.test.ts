import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { parsePageHead } from './serve-block-editor.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  await site.addContent({ slug: 'about', title: 'About <i>us</i>' });
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const askArchive = (role: 'administrator' | 'editor') =>
  fetch(`${site.context.publicUrl}/rest/block-editor/v1/export`, {
    headers: { authorization: `Basic ${btoa(`${role}:${testPassword(role)}`)}` },
  });
const askAbout = (url: string) =>
  site.fetch(`/block-editor/v1/url-details?url=${encodeURIComponent(url)}`, { as: 'contributor' });

const askMenu = async (query = '') =>
  (await site.fetch(`/block-editor/v1/navigation-fallback${query}`, { as: 'administrator' })).body as { id: number };

describe('the archive', () => {
  test('holds patterns, icons and settings', async () => {
    const response = await askArchive('administrator');
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.has('allow')).toBe(false);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=sortiment.zip');
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    expect([...files.keys()]).toEqual(expect.arrayContaining(['site.json', 'patterns/comparison.html']));
    expect(JSON.parse(files.get('site.json') ?? '')).toMatchObject({ settings: { timezone: 'Europe/Berlin' } });
    expect(files.get('icons/core/check.svg')).toMatch(/^<svg /);
  });

  test('is for administrators, and refused in JSON', async () => {
    const response = await askArchive('editor');
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'rest_cannot_export_templates' });
  });
});

test('settings and assets require the right to edit posts', async () => {
  const { body } = await site.fetch('/block-editor/v1/settings', { as: 'contributor' });
  expect(body).toMatchObject({ alignWide: false, allowedMimeTypes: { 'jpg|jpeg|jpe': 'image/jpeg' }, isRTL: false });
  expect((await site.fetch('/block-editor/v1/assets', { as: 'contributor' })).body).toEqual({
    styles: '',
    scripts: '',
  });
  expect((await site.fetch('/block-editor/v1/settings', { as: 'subscriber' })).body).toMatchObject({
    code: 'rest_cannot_read_block_editor_settings',
  });
  expect((await site.fetch('/block-editor/v1/assets')).status).toBe(401);
});

describe('the navigation menu to start from', () => {
  test.each([
    [undefined, 401],
    ['editor', 403],
  ] as const)('is nothing for %s', async (as, status) => {
    const answer = await site.fetch('/block-editor/v1/navigation-fallback', as ? { as } : {});
    expect(answer).toMatchObject({ status, body: { code: 'rest_cannot_create' } });
    expect((await site.fetch('/core/v2/navigation')).body).toEqual([]);
  });

  test('is created once if there is none, with all pages', async () => {
    const [first, second] = await Promise.all([askMenu('?_embed'), askMenu()]);
    expect(first).toMatchObject({
      id: second.id,
      _links: {
        self: [{ embeddable: true, targetHints: { allow: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] } }],
      },
      _embedded: { self: [{ slug: 'navigation', content: { raw: '<!-- wp:page-list /-->' }, status: 'publish' }] },
    });
    expect((await site.fetch('/core/v2/navigation?status=any', { as: 'administrator' })).body).toHaveLength(1);
  });

  test('is the newest that is published', async () => {
    const newer = await site.addContent({ type: 'wp_navigation', date: '2040-01-01 00:00:00' });
    await site.addContent({ type: 'wp_navigation', date: '2041-01-01 00:00:00', status: 'draft' });
    expect(await askMenu()).toMatchObject({ id: newer });
  });
});

describe('page details', () => {
  test('of a page of this site come from the store', async () => {
    const { body } = await askAbout(`${site.context.publicUrl}/about/`);
    expect(body).toEqual({ title: 'About us – Dach & Wand', icon: '', description: '', image: '' });
    expect((await askAbout(`${site.context.publicUrl}/none/`)).body).toMatchObject({ code: 'no_response' });
  });

  test('private addresses are not requested', async () => {
    expect(await askAbout('http://169.254.169.254/latest/')).toMatchObject({
      status: 404,
      body: { code: 'no_response' },
    });
    expect((await askAbout('file:///etc/passwd')).status).toBe(400);
  });

  test('of another page come from its head', () => {
    const html = `<title>A &amp; B &#8211; <b>C</b></title><meta name="description" content="Says &quot;x&quot;">
      <link rel="shortcut icon" href="/i.png"><meta property="og:image" content="javascript:x">`;
    expect(parsePageHead(html, 'https://x.test/a/')).toEqual({
      title: 'A & B – C',
      description: 'Says "x"',
      icon: 'https://x.test/i.png',
      image: '',
    });
  });
});

/** Reads the entries of an archive's central directory. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let i = 0; i < archive.readUInt16LE(end + 10); i += 1) {
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const start = offset + 30 + archive.readUInt16LE(offset + 26);
    files.set(name, archive.toString('utf8', start, start + size));
    at += 46 + nameLength;
  }
  return files;
}
