import { createHash } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { pngBomb } from '#origin/platform/media/testing/png-bomb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { content, outbox } from '#origin/platform/store/schema.ts';

interface MediaItem extends Record<string, unknown> {
  id: number;
  slug: string;
  source_url: string;
  title: { raw: string };
  caption: { raw: string };
  post: number | null;
  code?: string;
  media_details: Record<string, unknown> & { sizes: Record<string, { file: string; width: number; height: number }> };
}

let site: TestSite;
let png: Buffer;
let photo: Buffer;
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });

beforeAll(async () => {
  site = await openTestSite();
  png = await picture(12, 9).png().toBuffer();
  photo = await picture(400, 200).jpeg().toBuffer();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function send(
  path: string,
  { as = 'administrator', ...request }: Omit<RequestInit, 'headers'> & { as?: Role; headers?: Record<string, string> },
): Promise<{ status: number; headers: Headers; body: MediaItem }> {
  const authorization = `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
  const response = await fetch(`${site.context.publicUrl}/rest/core/v2/media${path}`, {
    method: 'POST',
    ...request,
    headers: { authorization, ...request.headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as MediaItem };
}

const upload = (name: string, bytes: Buffer | string, more: { as?: Role; query?: string } = {}) =>
  send(more.query ?? '', {
    ...(more.as ? { as: more.as } : {}),
    body: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` },
  });
const sendJson = (path: string, body: object, as?: Role) =>
  send(path, { ...(as ? { as } : {}), body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const remove = (id: number, as?: Role) => send(`/${id}?force=true`, { method: 'DELETE', ...(as ? { as } : {}) });

const onDisk = (url: string) => join(site.context.filesFolder, new URL(url).pathname);
const nameOf = (url: string) => url.split('/').at(-1);
const isThere = (url: string) =>
  access(onDisk(url)).then(
    () => true,
    () => false,
  );
const filesOf = async (): Promise<string[]> => {
  const all = await readdir(join(site.context.filesFolder, 'uploads'), { recursive: true, withFileTypes: true });
  return all.filter((entry) => entry.isFile()).map(({ name }) => name);
};

describe('an upload', () => {
  test('keeps the file byte for byte and makes its sizes', async () => {
    const { status, headers, body } = await upload('roof one.jpg', photo);
    expect(status).toBe(201);
    expect(headers.get('location')).toMatch(new RegExp(`/core/v2/media/${body.id}$`));
    expect(body).toMatchObject({
      status: 'inherit',
      slug: 'roof-one',
      title: { raw: 'roof-one' },
      mime_type: 'image/jpeg',
      missing_image_sizes: [],
      media_details: { width: 400, height: 200, filesize: photo.length },
    });
    expect(body.source_url).toMatch(/\/uploads\/\d{4}\/\d\d\/roof-one\.jpg$/);
    expect(await readFile(onDisk(body.source_url))).toEqual(photo);
    const { sizes } = body.media_details;
    expect(Object.entries(sizes).map(([name, { file }]) => [name, file])).toEqual([
      ['medium', 'roof-one-300x150.jpg'],
      ['thumbnail', 'roof-one-150x150.jpg'],
      ['full', 'roof-one.jpg'],
    ]);
    for (const { file, width, height } of Object.values(sizes)) {
      const stored = await sharp(onDisk(body.source_url.replace('roof-one.jpg', file))).metadata();
      expect([stored.width, stored.height]).toEqual([width, height]);
    }
  });

  test('may come as a form, with its fields', async () => {
    const postId = await site.addContent({ type: 'post', date: '2024-02-03 10:00:00' });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(png)]), 'My Pic.Final.png');
    for (const [name, value] of Object.entries({
      alt_text: 'A <b>roof</b>',
      'caption[raw]': 'C',
      post: String(postId),
    }))
      form.set(name, value);
    const { status, body } = await send('', { body: form });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: { raw: 'My Pic.Final' },
      alt_text: 'A roof',
      caption: { raw: 'C' },
      post: postId,
      source_url: expect.stringMatching(/\/uploads\/2024\/02\/My-Pic\.Final_\.png$/),
    });
  });

  test('never replaces a file, however many come at once', async () => {
    const together = await Promise.all(Array.from({ length: 6 }, () => upload('same.png', png)));
    const names = together.map(({ body }) => nameOf(body.source_url)).toSorted();
    expect(names).toEqual(['same-1.png', 'same-2.png', 'same-3.png', 'same-4.png', 'same-5.png', 'same.png']);
    expect(new Set(together.map(({ body }) => body.slug)).size).toBe(6);
  });

  test('stays inside its folder, whatever its name', async () => {
    for (const name of ['../../../../tmp/out.png', String.raw`..\out2.png`, '%2e%2e%2fout3.png', '.pending/out4.png']) {
      const { status, body } = await upload(name, png);
      expect(status).toBe(201);
      expect(new URL(body.source_url).pathname).toMatch(/^\/uploads\/\d{4}\/\d\d\/[\w.-]+\.png$/);
      expect(await isThere(body.source_url)).toBe(true);
    }
  });

  test('gets a smaller stand-in when it is large, and one that is upright when it is turned', async () => {
    const large = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const scaled = (await upload('large.jpg', large)).body;
    expect(nameOf(scaled.source_url)).toBe('large-scaled.jpg');
    expect(scaled).toMatchObject({
      filename: 'large.jpg',
      media_details: { width: 2560, height: 1280, original_image: 'large.jpg' },
    });
    expect(await readFile(onDisk(scaled.source_url.replace('-scaled', '')))).toEqual(large);

    const turned = await sharp(photo).withMetadata({ orientation: 6 }).toBuffer();
    const upright = (await upload('turned.jpg', turned)).body;
    expect(nameOf(upright.source_url)).toBe('turned-rotated.jpg');
    expect(upright).toMatchObject({ exif_orientation: 1, media_details: { width: 200, height: 400 } });

    const plain = (await upload('plain.jpg', turned, { query: '?generate_sub_sizes=false' })).body;
    expect(plain).toMatchObject({ media_details: { width: 400, height: 200, sizes: {} }, exif_orientation: 6 });
  });

  test('is called what its camera called it, unless the client says', async () => {
    const tagged = await sharp(photo)
      .withExif({ IFD0: { ImageDescription: 'On the roof', Model: 'Cam' }, IFD2: { FNumber: '56/10' } })
      .toBuffer();
    const { body } = await upload('dsc0001.jpg', tagged);
    expect(body).toMatchObject({
      title: { raw: 'On the roof' },
      caption: { raw: 'On the roof' },
      slug: 'on-the-roof',
      media_details: { image_meta: { camera: 'Cam', aperture: '5.6', title: 'On the roof', iso: '0' } },
    });
    const named = (await upload('dsc0001.jpg', tagged, { query: '?title=Mine&caption=' })).body;
    expect(named).toMatchObject({ title: { raw: 'Mine' }, caption: { raw: '' }, slug: 'mine' });
  });

  test('is checked against its digest, and refused without a name or content', async () => {
    const digest = createHash('md5').update(png).digest('hex');
    const headers = { 'content-disposition': 'attachment; filename=md5.png' };
    const body = new Uint8Array(png);
    expect((await send('', { body, headers: { ...headers, 'content-md5': digest } })).status).toBe(201);
    const wrong = await send('', { body, headers: { ...headers, 'content-md5': '0'.repeat(32) } });
    expect([wrong.status, wrong.body.code]).toEqual([412, 'rest_upload_hash_mismatch']);
    const star = { 'content-disposition': "attachment; filename*=UTF-8''star.png" };
    expect((await send('', { body, headers: star })).body.code).toBe('rest_upload_invalid_disposition');
    expect((await send('', { body })).body.code).toBe('rest_upload_no_content_disposition');
    expect((await send('', { headers })).body.code).toBe('rest_upload_no_data');
  });

  test('is announced once, and a private one is not', async () => {
    await site.context.store.db.delete(outbox);
    const { body } = await upload('told.png', png);
    await upload('secret.png', png, { query: '?status=private' });
    await remove(body.id);
    const messages = await site.context.store.db.select({ payload: outbox.payload }).from(outbox);
    expect(messages.map(({ payload }) => payload['changes'])).toEqual([
      [{ what: 'media', id: String(body.id), action: 'created' }],
      [{ what: 'media', id: String(body.id), action: 'deleted' }],
    ]);
  });
});

describe('what is not taken', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const HTML = '<!doctype html><script>alert(1)</script>';
  const REFUSED: [name: string, bytes: string][] = [
    ['vector.svg', SVG],
    ['vector.png', SVG],
    ['page.html', HTML],
    ['page.xhtml', HTML],
    ['page.png', HTML],
    ['page.jpg.html', HTML],
    ['code.js', 'alert(1)'],
    ['code.php', '<?php phpinfo();'],
    ['code.phar', '<?php phpinfo();'],
    ['feed.xml', '<?xml version="1.0"?><x/>'],
    ['feed.txt', '<?xml version="1.0"?><x/>'],
    ['binary.txt', '\u0000\u0001\u0002'],
    ['data.json', '{}'],
    ['style.css', 'a{}'],
    ['setup.exe', 'MZ'],
    ['.htaccess', 'Options +ExecCGI'],
    ['noextension', 'x'],
    ['sound.mp3', 'not a sound'],
    ['paper.pdf', HTML],
  ];

  test.each(['author', 'editor', 'administrator'] as const)('pages, scripts and disguises, from %s', async (as) => {
    const before = await filesOf();
    for (const [name, bytes] of REFUSED) {
      const { status, body } = await upload(name, bytes, { as });
      expect([name, status, body.code]).toEqual([name, 400, 'rest_upload_sideload_error']);
    }
    expect(await filesOf()).toEqual(before);
  });

  test('a disguise, with the status of stock servers under their names', async () => {
    const stock = await openTestSite({ namespaces: STOCK_NAMESPACES });
    const headers = { 'content-disposition': 'attachment; filename="paper.pdf"' };
    const refused = await stock.fetch('/wp/v2/media', { method: 'POST', as: 'author', headers, body: HTML });
    expect(refused).toMatchObject({ status: 500, body: { code: 'rest_upload_sideload_error' } });
    await stock.close();
  });

  test.each(['subscriber', 'contributor'] as const)('anything, from %s', async (as) => {
    const { status, body } = await upload('a.png', png, { as });
    expect([status, body.code]).toEqual([403, 'rest_cannot_create']);
  });

  test('texts in old encodings are no disguise', async () => {
    const { status, body } = await upload('umlauts.csv', Buffer.from('Größe;Preis\r\n', 'latin1'));
    expect([status, body['mime_type']]).toEqual([201, 'text/csv']);
  });

  test('a picture of another type than its name says is renamed', async () => {
    expect(nameOf((await upload('really-png.jpg', png)).body.source_url)).toBe('really-png.png');
    expect(nameOf((await upload('a.php.png', png)).body.source_url)).toBe('a.php_.png');
    expect((await upload('picture.txt', png)).status).toBe(400);
  });

  test('pictures with too many pixels, and damaged ones', async () => {
    const bomb = pngBomb(30_000, 30_000);
    expect(bomb.length).toBeLessThan(200_000);
    for (const query of ['', '?generate_sub_sizes=false']) {
      const { status, body } = await upload('bomb.png', bomb, { query });
      expect([status, body]).toMatchObject([
        400,
        {
          code: 'rest_upload_image_too_large',
          message: 'The image has more than 100 million pixels. Upload a smaller one.',
        },
      ]);
    }
    const cut = await upload('cut.jpg', photo.subarray(0, photo.length / 2));
    expect([cut.status, cut.body.code]).toEqual([400, 'rest_upload_image_type_not_supported']);
  });

  test('files larger than the limit', async () => {
    const { status, body } = await upload('large.txt', 'x'.repeat(64 * 1024 * 1024 + 1));
    expect([status, body.code]).toEqual([413, 'rest_upload_file_too_big']);
  });

  test('files for posts of others, and for media', async () => {
    const foreign = await site.addContent({ type: 'post' });
    expect((await upload('p.png', png, { as: 'author', query: `?post=${foreign}` })).body.code).toBe(
      'rest_cannot_edit',
    );
    expect((await upload('p.png', png, { query: '?post=999999' })).body.code).toBe('rest_cannot_edit');
    const { body } = await upload('parent.png', png);
    const refused = await upload('orphan.png', png, { query: `?post=${body.id}` });
    expect([refused.status, refused.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(await filesOf()).not.toContain('orphan.png');
  });
});

describe('a picture at an address', () => {
  test('of this site is taken from where it is stored', async () => {
    const { body: original } = await upload('mine.png', png);
    const { status, body } = await sendJson('', { url: original.source_url, title: 'Ignored', alt_text: 'Ignored' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: { raw: 'mine-1' }, alt_text: '' });
    expect(await readFile(onDisk(body.source_url))).toEqual(png);
    const { origin } = new URL(original.source_url);
    const missing = await sendJson('', { url: `${origin}/uploads/none.png` });
    expect([missing.status, missing.body.code]).toEqual([400, 'http_404']);
    expect((await sendJson('', { url: `${origin}/uploads/../origin.key.png` })).body.code).toBe('http_404');
    expect((await sendJson('', { url: `${origin}/uploads/mine.pdf` })).body.code).toBe('rest_invalid_url');
  });

  test.each([
    'nope',
    'ftp://example.org/a.png',
    'http://10.0.0.1/a.png',
    'http://127.0.0.1:9999/a.png',
    'http://169.254.169.254/a.png',
    'http://[::1]/a.png',
    'http://user:pass@1.1.1.1/a.png',
  ])('is not looked for at %s', async (url) => {
    const { status, body } = await sendJson('', { url });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: { details: { url: { code: 'rest_invalid_url' } } },
    });
  });
});

describe('a media item', () => {
  test('can be changed, attached, hidden and taken back', async () => {
    const { body } = await upload('change.png', png);
    const postId = await site.addContent({ type: 'post' });
    const changed = await sendJson(`/${body.id}`, { title: 'T', alt_text: 'a <i>b</i>', caption: 'c', post: postId });
    expect(changed.body).toMatchObject({ title: { raw: 'T' }, alt_text: 'a b', caption: { raw: 'c' }, post: postId });
    expect(changed.body.slug).toBe('change');
    await sendJson(`/${body.id}`, { post: 0, status: 'private' });
    expect((await site.fetch(`/core/v2/media/${body.id}`)).status).toBe(401);
    expect((await sendJson(`/${body.id}`, { status: 'publish' })).body['status']).toBe('inherit');
    expect((await sendJson(`/${body.id}`, { title: 'x' }, 'author')).body.code).toBe('rest_cannot_edit');
    expect((await sendJson(`/${body.id}`, { post: body.id })).body.code).toBe('rest_invalid_param');
  });

  test('loses scripts from who may not write them', async () => {
    const { body } = await upload('author.png', png, { as: 'author' });
    const caption = 'Hi <script>alert(1)</script><em onclick="x()">there</em>';
    const changed = await sendJson(`/${body.id}`, { caption, title: '<img src=x onerror=y>T' }, 'author');
    expect(JSON.stringify(changed.body)).not.toMatch(/<script|onclick|onerror/);
  });

  test('goes with all its files, and out of what it stood for', async () => {
    const { body } = await upload('gone.jpg', photo);
    const postId = await site.addContent({ type: 'post', featuredMedia: body.id });
    expect((await send(`/${body.id}`, { method: 'DELETE' })).body.code).toBe('rest_trash_not_supported');
    expect((await remove(body.id, 'author')).body.code).toBe('rest_cannot_delete');
    expect(await isThere(body.source_url)).toBe(true);
    expect((await remove(body.id)).body).toMatchObject({ deleted: true, previous: { source_url: body.source_url } });
    expect((await filesOf()).filter((name) => name.startsWith('gone'))).toEqual([]);
    expect((await remove(body.id)).status).toBe(404);
    const [post] = await site.context.store.db.select().from(content).where(eq(content.id, postId));
    expect(post?.featuredMedia).toBe(0);
  });

  test('gets the sizes it lacks', async () => {
    const { body } = await upload('later.jpg', photo, { query: '?generate_sub_sizes=false' });
    expect(body['missing_image_sizes']).toEqual(['thumbnail', 'medium']);
    const processed = await sendJson(`/${body.id}/post-process`, { action: 'create-image-subsizes' });
    expect(processed.body['missing_image_sizes']).toEqual([]);
    expect(await isThere(body.source_url.replace('later.jpg', 'later-300x150.jpg'))).toBe(true);
    expect((await sendJson(`/${body.id}/post-process`, {})).body.code).toBe('rest_missing_callback_param');
    expect((await sendJson(`/${body.id}/post-process`, { action: 'x' })).body.code).toBe('rest_invalid_param');
  });
});

/** Left half red, right half blue. */
async function halves(): Promise<MediaItem> {
  const blue = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
  const both = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'red' } })
    .composite([{ input: blue, left: 200, top: 0 }])
    .png()
    .toBuffer();
  return (await upload('halves.png', both)).body;
}
const colourAt = async (url: string, left: number, top: number) => {
  const area = await sharp(onDisk(url)).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
  return [...area];
};

describe('an edited picture', () => {
  const RED = [255, 0, 0];
  const BLUE = [0, 0, 255];

  test('is a new one, and the edits happen in their order', async () => {
    const { id, source_url: src } = await halves();
    const edit = (...modifiers: object[]) => sendJson(`/${id}/edit`, { src, modifiers });
    const turn = { type: 'rotate', args: { angle: 90 } };
    const cropTop = { type: 'crop', args: { left: 0, top: 0, width: 100, height: 50 } };
    const flip = { type: 'flip', args: { flip: { horizontal: true, vertical: false } } };

    const turnedFirst = await edit(turn, cropTop);
    expect(turnedFirst.status).toBe(201);
    expect(turnedFirst.body).toMatchObject({
      media_details: { width: 200, height: 200, parent_image: { attachment_id: String(id) } },
    });
    expect(nameOf(turnedFirst.body.source_url)).toBe('halves-edited.png');
    expect(await colourAt(turnedFirst.body.source_url, 100, 199)).toEqual(RED);

    const croppedFirst = (await edit(cropTop, turn)).body;
    expect(croppedFirst.media_details).toMatchObject({ width: 100, height: 400 });
    expect(nameOf(croppedFirst.source_url)).toBe('halves-edited-1.png');

    const slanted = (await edit({ type: 'rotate', args: { angle: 45 } })).body;
    expect(slanted.media_details).toMatchObject({ width: 427, height: 427 });

    const flipped = (await edit(flip)).body;
    expect(await colourAt(flipped.source_url, 0, 0)).toEqual(BLUE);
    expect(await colourAt(src, 0, 0)).toEqual(RED);
  });

  test('needs a picture, an edit and the right to it', async () => {
    const { id, source_url: src } = await halves();
    const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
    const codeOf = async (body: object, as?: Role) => (await sendJson(`/${id}/edit`, body, as)).body.code;
    expect(await codeOf({ src })).toBe('rest_image_not_edited');
    expect(await codeOf({ modifiers })).toBe('rest_missing_callback_param');
    expect(await codeOf({ src: 'http://elsewhere.test/uploads/x.png', modifiers })).toBe('rest_unknown_attachment');
    expect(await codeOf({ src: src.replace(/halves.*$/, '../../../origin.key'), modifiers })).toBe(
      'rest_unknown_attachment',
    );
    expect(await codeOf({ src, modifiers }, 'subscriber')).toBe('rest_cannot_edit_image');
    expect(await codeOf({ src, modifiers }, 'author')).toBe('rest_cannot_edit');
    expect(await codeOf({ src, modifiers: [{ type: 'blur', args: {} }] })).toBe('rest_invalid_param');
    expect(await codeOf({ src, rotation: 0 })).toBe('rest_invalid_param');
  });
});
