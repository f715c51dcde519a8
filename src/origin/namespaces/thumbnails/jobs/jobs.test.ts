import { readFile, rm, writeFile } from 'node:fs/promises';
import { and, asc, eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ThumbnailJob } from '#contracts/thumbnails/routes.ts';
import { content } from '#origin/platform/store/schema.ts';
import { OPEN_TIMEOUT_MS } from '#origin/testing/open-test-site.ts';
import { createTestImage, openImageSite, type ImageSite } from '../testing/image-site.ts';
import { startJobs, thumbnailJob } from './jobs.ts';

let site: ImageSite;
let photo: Buffer;
beforeAll(async () => {
  [site, photo] = await Promise.all([openImageSite(), createTestImage(400, 200)]);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());
beforeEach(async () => {
  await site.context.store.db.delete(thumbnailJob);
  await site.context.store.db.delete(content);
});

const JOBS = 'thumbnails/v1/jobs';
const begin = async (options: object = {}) => {
  const { status, headers, body } = await site.send('POST', JOBS, options);
  return { status, location: headers.get('location'), job: body as unknown as ThumbnailJob };
};
const read = async (id: number) => (await site.send('GET', `${JOBS}/${id}`)).body as unknown as ThumbnailJob;
/** Runs the worker until the job is finished. */
async function finish(id: number): Promise<ThumbnailJob> {
  const work = await startJobs(site.context);
  await expect.poll(async () => (await read(id)).finished, { interval: 20, timeout: 30_000 }).not.toBeNull();
  await work.stop();
  return read(id);
}
const sizeOf = (file: string) => site.onDisk(file.replace('.jpg', '-300x150.jpg'));
const isThere = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  );

test('all images get their sizes, and unreadable ones are counted and reported', async () => {
  const [one, two] = [
    await site.place('2024/01/one.jpg', { bytes: photo }),
    await site.place('2024/01/two.jpg', { bytes: photo }),
  ];
  const broken = await site.place('2024/01/broken.jpg', { bytes: Buffer.from('nothing') });
  await site.place('2024/01/logo.svg', { mimeType: 'image/svg+xml', bytes: Buffer.from('<svg/>') });
  const { status, job, location } = await begin();
  expect([status, job]).toMatchObject([201, { status: 'waiting', scope: 'all', total: 3, done: 0, finished: null }]);
  expect(location).toMatch(new RegExp(`/thumbnails/v1/jobs/${job.id}$`));
  expect(await finish(job.id)).toMatchObject({
    status: 'done',
    total: 3,
    done: 3,
    failed: 1,
    problems: [{ id: broken, code: 'image_no_editor' }],
  });
  for (const id of [one, two]) {
    const { body } = await site.send('GET', `thumbnails/v1/attachmentinfo/${id}`);
    expect(body.registered_sizes.filter(({ fileexists }) => fileexists).map(({ label }) => label)).toEqual([
      'thumbnail',
      'medium',
    ]);
  }
});

test('jobs can be limited to featured images and missing sizes', async () => {
  const [featured] = [
    await site.place('2024/02/a.jpg', { bytes: photo }),
    await site.place('2024/02/b.jpg', { bytes: photo }),
  ];
  await site.addContent({ featuredMedia: featured });
  const first = (await begin({ scope: 'featured' })).job;
  expect(await finish(first.id)).toMatchObject({ scope: 'featured', total: 1, done: 1, failed: 0 });
  expect([await isThere(sizeOf('2024/02/a.jpg')), await isThere(sizeOf('2024/02/b.jpg'))]).toEqual([true, false]);

  await writeFile(sizeOf('2024/02/a.jpg'), 'kept');
  await rm(site.onDisk('2024/02/a-150x150.jpg'));
  await finish((await begin()).job.id);
  expect(await readFile(sizeOf('2024/02/a.jpg'), 'utf8')).toBe('kept');
  expect(await isThere(site.onDisk('2024/02/a-150x150.jpg'))).toBe(true);
  await finish((await begin({ only_regenerate_missing_thumbnails: false })).job.id);
  expect((await sharp(sizeOf('2024/02/a.jpg')).metadata()).width).toBe(300);
});

test('an interrupted job resumes, and a cancelled one does not', async () => {
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push(await site.place(`2024/03/${name}.jpg`, { bytes: photo }));
  const [one = 0, , three = 0] = ids;
  const { job } = await begin();
  // The state after a process crashed at the second image. With several processes, its lease must expire first.
  const leftMs = site.context.store.engine === 'pglite' ? 60_000 : -1;
  await site.context.store.db.update(thumbnailJob).set({
    status: 'running',
    lastId: one,
    done: 1,
    currentId: one + 1,
    attempts: 1,
    heldBy: 'other',
    heldUntil: new Date(Date.now() + leftMs),
  });
  expect(await finish(job.id)).toMatchObject({ status: 'done', done: 3, failed: 0 });
  expect([await isThere(sizeOf('2024/03/a.jpg')), await isThere(sizeOf('2024/03/c.jpg'))]).toEqual([false, true]);

  const cancelled = (await begin()).job;
  expect((await site.send('DELETE', `${JOBS}/${cancelled.id}`)).body).toMatchObject({ status: 'cancelled', done: 0 });
  expect((await site.send('DELETE', `${JOBS}/${job.id}`)).body).toMatchObject({ status: 'done' });
  const last = await begin({ scope: 'featured' });
  await finish(last.job.id);
  expect(await read(cancelled.id)).toMatchObject({ status: 'cancelled', done: 0 });

  // An image that always crashes the server does not block the others.
  const poisoned = (await begin()).job;
  await site.context.store.db
    .update(thumbnailJob)
    .set({ status: 'running', currentId: one, attempts: 3 })
    .where(eq(thumbnailJob.id, poisoned.id));
  const done = await finish(poisoned.id);
  expect([done.failed, done.problems.map(({ id }) => id), three > one]).toEqual([1, [one], true]);
});

test('posts are updated once to the current files, with a revision', async () => {
  const id = await site.place('2024/04/roof.jpg', { bytes: photo });
  const image = (src: string, measures: string) =>
    `<p>x</p><img${measures} class="size-medium wp-image-${id}" src="${src}">`;
  const old = image('/uploads/2024/04/roof-290x145.jpg', '');
  const post = await site.addContent({ type: 'page', content: old });
  const others = [
    await site.addContent({ content: '<p>None</p>' }),
    await site.addContent({ status: 'trash', content: old }),
  ];
  const { job } = await begin();
  expect(await finish(job.id)).toMatchObject({ status: 'done', posts_updated: 1 });
  const { db } = site.context.store;
  const textOf = async (one: number) => (await db.select().from(content).where(eq(content.id, one)))[0];
  const now = image(`${site.context.publicUrl}/uploads/2024/04/roof-300x150.jpg`, ' width="300" height="150"');
  expect((await textOf(post))?.content).toBe(now);
  for (const other of others) expect((await textOf(other))?.modified).toBe('2026-01-05 09:00:00');
  const revisions = await db
    .select({ text: content.content })
    .from(content)
    .where(and(eq(content.parentId, post), eq(content.type, 'revision')))
    .orderBy(asc(content.id));
  expect(revisions).toEqual([{ text: old }, { text: now }]);
  expect(await finish((await begin()).job.id)).toMatchObject({ posts_updated: 0 });

  const again = { update_usages_in_posts_post_type: ['page', 'attachment'], update_usages_in_posts_posts_per_loop: -1 };
  await db.update(content).set({ content: old }).where(eq(content.id, post));
  const path = `thumbnails/v1/regenerate/${id}`;
  await site.send('POST', path, { update_usages_in_posts: false });
  await site.send('POST', path, { ...again, update_usages_in_posts_post_ids: others });
  expect((await textOf(post))?.content).toBe(old);
  await site.send('POST', path, { ...again, update_usages_in_posts_post_ids: [...others, post] });
  expect((await textOf(post))?.content).toBe(now);

  // All posts are checked if the image has different files.
  await db.update(content).set({ content: old }).where(eq(content.id, post));
  await site.send('POST', path);
  expect((await textOf(post))?.content).toBe(old);
  await db
    .update(content)
    .set({ mediaDetails: { width: 400, height: 200 } })
    .where(eq(content.id, id));
  await site.send('POST', path);
  expect((await textOf(post))?.content).toBe(now);
});

test('jobs require the right to manage options, and their number is limited', async () => {
  const { job } = await begin();
  for (const [method, path] of [
    ['GET', JOBS],
    ['POST', JOBS],
    ['GET', `${JOBS}/${job.id}`],
    ['DELETE', `${JOBS}/${job.id}`],
  ] as const)
    expect((await site.send(method, path, undefined, 'editor')).status).toBe(403);
  for (let i = 0; i < 9; i++) await begin();
  const { status, body } = await site.send('POST', JOBS);
  expect([status, body.code]).toEqual([409, 'thumbnails_too_many_jobs']);
  const list = await site.send('GET', `${JOBS}?per_page=2`);
  expect([list.headers.get('x-wp-total'), (list.body as unknown as ThumbnailJob[])[1]?.id]).toEqual(['10', job.id + 8]);
  expect((await site.send('GET', `${JOBS}/999999`)).body.code).toBe('thumbnails_job_not_found');
  expect((await site.send('POST', JOBS, { scope: 'some' })).body.code).toBe('rest_invalid_param');
});
