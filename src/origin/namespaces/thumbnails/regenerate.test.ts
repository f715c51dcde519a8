import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listMediaFiles } from '#origin/platform/media/media-files.ts';
import { pngBomb } from '#origin/platform/media/testing/png-bomb.ts';
import { content } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS } from '#origin/testing/open-test-site.ts';
import { createTestImage, openImageSite, type Body, type ImageSite } from './testing/image-site.ts';

let site: ImageSite;
let photo: Buffer;
beforeAll(async () => {
  [site, photo] = await Promise.all([openImageSite(), createTestImage(400, 200)]);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const info = (id: number) => site.send('GET', `thumbnails/v1/attachmentinfo/${id}`);
const regenerate = (id: number, options: object = {}) => site.send('POST', `thumbnails/v1/regenerate/${id}`, options);
const ALL = { only_regenerate_missing_thumbnails: false };
const DELETING = { delete_unregistered_thumbnail_files: true };
const missing = ({ registered_sizes }: Body) =>
  registered_sizes.filter(({ filename, fileexists }) => filename !== false && !fileexists).map(({ label }) => label);
const codeOf = ({ status, body }: { status: number; body: Body }) => [status, body.code];
const filesIn = async (folder: string, prefix: string) =>
  (await readdir(site.onDisk(folder))).filter((name) => name.startsWith(prefix)).toSorted();
const changeRow = (id: number, values: Partial<typeof content.$inferInsert>) =>
  site.context.store.db.update(content).set(values).where(eq(content.id, id));

describe('a picture', () => {
  test('regains missing sizes byte for byte, and its other sizes do not change', async () => {
    const { id, folder } = await site.upload('roof.jpg', photo);
    const [lost, kept] = [site.onDisk(`${folder}/roof-300x150.jpg`), site.onDisk(`${folder}/roof-150x150.jpg`)];
    const before = await readFile(lost);
    await rm(lost);
    await utimes(kept, 1000, 1000);
    expect(missing((await info(id)).body)).toEqual(['medium']);
    const { status, body } = await site.send('GET', `thumbnails/v1/regenerate/${id}`);
    expect([status, missing(body), body.unregistered_sizes]).toEqual([200, [], []]);
    expect(body).toEqual((await info(id)).body);
    expect(await readFile(lost)).toEqual(before);
    expect((await stat(kept)).mtimeMs).toBe(1_000_000);
    await regenerate(id, ALL);
    expect((await stat(kept)).mtimeMs).toBeGreaterThan(1_000_000);
  });

  test('that is shown smaller than it is has sizes of its original, and gets back what is shown', async () => {
    const large = await sharp(photo).resize(2700, 1801, { fit: 'fill' }).toBuffer();
    const { id, folder } = await site.upload('large.jpg', large);
    const { body } = await info(id);
    expect(body).toMatchObject({ width: 2560, height: 1708, relative_path: `${folder}/large.jpg` });
    expect(body.preview).toMatch(/large-scaled\.jpg$/);
    expect([missing(body), body.unregistered_sizes]).toEqual([[], []]);
    const before = await filesIn(folder, 'large');
    for (const name of before.filter((one) => one !== 'large.jpg')) await rm(site.onDisk(`${folder}/${name}`));
    await regenerate(id);
    expect(await filesIn(folder, 'large')).toEqual(before);
    const { width, height } = await sharp(site.onDisk(`${folder}/large-scaled.jpg`)).metadata();
    expect([width, height]).toEqual([2560, 1708]);
  });

  test('loses unregistered sizes only on request, and never a file of another image', async () => {
    const { id, folder } = await site.upload('wall.jpg', photo);
    const [old, other, stray] = ['wall-120x60.jpg', 'wall-320x160.jpg', 'wall-77x77.jpg'];
    for (const name of [old, other, stray]) await writeFile(site.onDisk(`${folder}/${name}`), photo);
    await site.place(`${folder}/${other}`);
    const [row] = await site.context.store.db.select().from(content).where(eq(content.id, id));
    const sizes = row?.mediaDetails['sizes'] as Record<string, object>;
    const hero = { file: old, width: 120, height: 60, mime_type: 'image/jpeg' };
    const foreign = { file: 'roof-150x150.jpg', width: 1, height: 1, mime_type: 'image/jpeg' };
    await changeRow(id, { mediaDetails: { ...row?.mediaDetails, sizes: { ...sizes, medium: hero, foreign } } });

    const kept = (await regenerate(id)).body;
    expect(kept.unregistered_sizes.map(({ label }) => label)).toEqual(['foreign', 'medium_old_120x60']);
    await regenerate(id, DELETING);
    expect(await filesIn(folder, 'wall')).toEqual(['wall-150x150.jpg', 'wall-300x150.jpg', other, 'wall.jpg']);
    expect(await filesIn(folder, 'roof-150x150')).toEqual(['roof-150x150.jpg']);
    expect((await info(id)).body.unregistered_sizes).toEqual([]);
  });

  test('whose size would take the name of another picture leaves it alone', async () => {
    const id = await site.place('2025/01/twin.jpg', { bytes: photo });
    const [shown, uploaded] = [site.onDisk('2025/01/twin-300x150.jpg'), site.onDisk('2025/01/twin-150x150.jpg')];
    await site.place('2025/01/twin-300x150.jpg', { bytes: Buffer.from('another') });
    await site.place('2025/01/third.jpg', { details: { original_image: 'twin-150x150.jpg' } });
    await writeFile(uploaded, 'third');
    expect((await regenerate(id, { ...ALL, ...DELETING })).status).toBe(200);
    expect([await readFile(shown, 'utf8'), await readFile(uploaded, 'utf8')]).toEqual(['another', 'third']);
  });

  test('without measures is measured', async () => {
    const id = await site.place('2025/01/unmeasured.jpg', { bytes: photo, details: {} });
    expect(codeOf(await info(id))).toEqual([404, 'thumbnails_regenerator_no_metadata']);
    expect((await regenerate(id)).body).toMatchObject({ width: 400, height: 200 });
  });

  test('is the same after many regenerations at once', async () => {
    const { id, folder } = await site.upload('busy.jpg', photo);
    const before = await filesIn(folder, 'busy');
    const answers = await Promise.all(Array.from({ length: 6 }, () => regenerate(id, { ...ALL, ...DELETING })));
    expect(answers.map(({ status, body }) => [status, missing(body)])).toEqual(answers.map(() => [200, []]));
    expect(await filesIn(folder, 'busy')).toEqual(before);
  });

  test('has a route of its own in which DELETE deletes nothing, for those who manage the site', async () => {
    const { id } = await site.upload('safe.jpg', photo);
    const { status, headers } = await site.send('DELETE', `thumbnails/v1/regenerate/${id}`);
    expect([status, headers.get('cache-control')]).toEqual([200, expect.stringContaining('no-store')]);
    expect((await site.send('GET', `core/v2/media/${id}`)).status).toBe(200);
    for (const path of [`attachmentinfo/${id}`, `regenerate/${id}`, 'featuredimages'])
      expect(codeOf(await site.send('GET', `thumbnails/v1/${path}`, undefined, 'editor'))).toEqual([
        403,
        'rest_forbidden',
      ]);
  });
});

describe('a picture that another process deletes before its first file is written', () => {
  /** @param then runs after the deletion */
  const deleteBeforeWriting = async (id: number, then?: () => Promise<unknown>) => {
    const { db } = site.context.store;
    const { uploads } = site.context.files;
    const { put } = uploads;
    const [row] = await db.select().from(content).where(eq(content.id, id));
    vi.spyOn(uploads, 'put').mockImplementationOnce(async (path, bytes) => {
      await db.delete(content).where(eq(content.id, id));
      for (const one of row ? listMediaFiles(row).paths : []) await uploads.remove(one);
      await then?.();
      await put(path, bytes);
    });
  };
  afterAll(() => vi.restoreAllMocks());

  test('is refused, and none of its files stays', async () => {
    const { id, folder } = await site.upload('ghost.jpg', photo);
    await changeRow(id, { mediaDetails: { width: 400, height: 200, sizes: {} } });
    await deleteBeforeWriting(id);
    expect(codeOf(await regenerate(id, ALL))).toEqual([404, 'thumbnails_regenerator_attachment_doesnt_exist']);
    expect(await filesIn(folder, 'ghost')).toEqual([]);
  });

  test('is refused too where its row would not have changed', async () => {
    const { id, folder } = await site.upload('shade.jpg', photo);
    await rm(site.onDisk(`${folder}/shade-300x150.jpg`));
    await deleteBeforeWriting(id);
    expect(codeOf(await regenerate(id))).toEqual([404, 'thumbnails_regenerator_attachment_doesnt_exist']);
    expect(await filesIn(folder, 'shade')).toEqual([]);
  });

  test.each([
    ['a size', 400, 'mist', '-300x150'],
    ['what is shown in its place', 2700, 'haze', '-scaled'],
  ])('is refused to who asked for what it lacks: %s', async (_, width, base, lost) => {
    const bytes = await sharp(photo).resize(width).toBuffer();
    const { id, folder } = await site.upload(`${base}.jpg`, bytes);
    await rm(site.onDisk(`${folder}/${base}${lost}.jpg`));
    await deleteBeforeWriting(id);
    const action = { action: 'create-image-subsizes' };
    expect(codeOf(await site.send('POST', `core/v2/media/${id}/post-process`, action))).toEqual([
      404,
      'rest_post_invalid_id',
    ]);
    expect(await filesIn(folder, base)).toEqual([]);
  });

  test('leaves their files to others that have its name now, or that of one of its sizes', async () => {
    const first = await site.upload('heir.jpg', photo);
    await deleteBeforeWriting(first.id, () => site.upload('heir.jpg', photo));
    expect((await regenerate(first.id, ALL)).status).toBe(404);
    const heirs = ['heir-150x150.jpg', 'heir-300x150.jpg', 'heir.jpg'];
    expect(await filesIn(first.folder, 'heir')).toEqual(heirs);

    const { id, folder } = await site.upload('lone.jpg', photo);
    await deleteBeforeWriting(id, () => site.place(`${folder}/lone-300x150.jpg`));
    expect((await regenerate(id, ALL)).status).toBe(404);
    expect(await filesIn(folder, 'lone')).toEqual(['lone-300x150.jpg']);
  });
});

describe('errors with a hint', () => {
  test('for content that is not an image', async () => {
    const post = await site.addContent({ type: 'post' });
    const icon = await site.place('2025/01/icon.png', { bytes: photo, mimeType: 'image/png' });
    await changeRow(icon, { meta: { _attachment_context: 'site-icon' } });
    const svg = await site.place('2025/01/logo.svg', { bytes: Buffer.from('<svg/>'), mimeType: 'image/svg+xml' });
    const pdf = await site.place('2025/01/doc.pdf', { bytes: Buffer.from('%PDF-'), mimeType: 'application/pdf' });
    const gone = await site.place('2025/01/gone.jpg');
    expect(codeOf(await regenerate(999_999))).toEqual([404, 'thumbnails_regenerator_attachment_doesnt_exist']);
    expect(codeOf(await regenerate(post))).toEqual([400, 'thumbnails_regenerator_not_attachment']);
    expect(codeOf(await regenerate(icon))).toEqual([415, 'thumbnails_regenerator_is_site_icon']);
    expect(codeOf(await regenerate(svg))).toEqual([415, 'image_no_editor']);
    expect(codeOf(await regenerate(pdf))).toEqual([404, 'thumbnails_regenerator_file_not_found']);
    const { status, body } = await regenerate(gone);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      data: { attachment: { id: gone, media_type: 'image' } },
      additional_data: [{ status: 404, fullsizepath: '2025/01/gone.jpg' }],
    });
  });

  test('for unreadable and too large images', async () => {
    const cut = await site.place('2025/01/cut.jpg', { bytes: photo.subarray(0, photo.length / 2) });
    const page = await site.place('2025/01/page.jpg', { bytes: Buffer.from('<!doctype html>') });
    const large = await site.place('2025/01/bomb.png', { bytes: pngBomb(12_000, 9000), mimeType: 'image/png' });
    for (const id of [cut, page, large]) expect(codeOf(await regenerate(id))).toEqual([415, 'image_no_editor']);
    expect(await filesIn('2025/01', 'bomb-')).toEqual([]);
  });

  test('for paths outside the uploads folder', async () => {
    await writeFile(site.onDisk('../secret.jpg'), photo);
    const escapes = [
      await site.place('2025/01/a.jpg', {
        bytes: photo,
        details: { width: 9, height: 9, original_image: '../../../secret.jpg' },
      }),
      await site.place('2025/../../secret.jpg'),
      await site.place('.pending/b.jpg', { bytes: photo }),
    ];
    for (const id of escapes) {
      expect(codeOf(await info(id))).toEqual([404, 'thumbnails_regenerator_file_not_found']);
      expect(codeOf(await regenerate(id, { ...ALL, ...DELETING }))).toEqual([
        404,
        'thumbnails_regenerator_file_not_found',
      ]);
    }
    expect(await readdir(site.onDisk('..'))).toEqual(['secret.jpg', 'uploads']);
  });
});

test('featured images are listed once each', async () => {
  const [one, two] = [await site.place('2025/02/one.jpg'), await site.place('2025/02/two.jpg')];
  for (const featuredMedia of [two, one, two]) await site.addContent({ featuredMedia });
  const list = (query: string) => site.send('GET', `thumbnails/v1/featuredimages${query}`);
  const { headers, body } = await list('');
  expect([headers.get('x-wp-total'), body]).toEqual(['2', [{ id: one }, { id: two }]]);
  expect((await list('?per_page=1&page=2')).body).toEqual([{ id: two }]);
  expect(codeOf(await list('?page=2'))).toEqual([400, 'rest_post_invalid_page_number']);
});

test('lists of media hold only what sizes can be made of, or leave icons of the site out', async () => {
  const types = ['image/png', 'image/svg+xml', 'application/pdf', 'audio/mpeg'];
  const ids: number[] = [];
  for (const [i, mimeType] of types.entries()) ids.push(await site.place(`2025/03/${i}`, { mimeType }));
  const [png = 0, svg, pdf, audio] = ids;
  await changeRow(png, { meta: { _attachment_context: 'site-icon' } });
  const list = async (query: string) => {
    const { body } = await site.send('GET', `core/v2/media?include=${ids.join()}&orderby=id&order=asc&${query}`);
    return (body as unknown as { id: number }[]).map(({ id }) => id);
  };
  expect(await list('')).toEqual(ids);
  expect(await list('is_regeneratable=true')).toEqual([png, pdf]);
  expect(await list('exclude_site_icons=1')).toEqual([svg, pdf, audio]);
  expect(await list('is_regeneratable=1&exclude_site_icons=true')).toEqual([pdf]);
  expect(await list('is_regeneratable=false&exclude_site_icons=no')).toEqual(ids);
});
