import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import {
  recordEntry,
  recoverPendingFiles,
  resolvePendingFiles,
  removeEntry,
  recoverMedia,
  storeMediaFiles,
} from './store-media-files.ts';
import type { PreparedMedia } from './prepare-media.ts';

const bytes = (text: string) => Buffer.from(text);
const image = (width: number, text: string) => ({ width, height: width, bytes: bytes(text) });

const prepared: PreparedMedia = {
  mimeType: 'image/jpeg',
  original: bytes('original'),
  standIn: { ...image(2560, 'scaled'), suffix: '-scaled' },
  sizes: { medium: image(300, 'medium'), thumbnail: image(150, 'thumbnail') },
  measured: {},
  title: '',
  caption: '',
};
const place = { folder: '2026/11', name: { base: 'roof', extension: 'jpg' } };
const ALL = ['roof-150x150.jpg', 'roof-300x300.jpg', 'roof-scaled.jpg', 'roof.jpg'];

const served = async (folder: string) =>
  (await readdir(`${folder}/2026/11`).catch(() => [])).toSorted((a, b) => a.localeCompare(b));
const pending = (folder: string) => readdir(`${folder}/.pending`).catch(() => []);

/** A store whose process is killed before its n-th step. */
function dyingAt(files: FileStore, step: number): FileStore {
  let left = step;
  const mortal =
    <A extends unknown[], T>(run: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> =>
      (left -= 1) < 0 ? Promise.reject(new Error('killed')) : run(...given);
  return {
    ...files,
    add: mortal(files.add),
    put: mortal(files.put),
    has: mortal(files.has),
    remove: mortal(files.remove),
  };
}

const diskFull = () => Promise.reject(new Error('no space left'));

/** A store that runs out of space once, at the second size. */
function fullAtSecondSize(files: FileStore): FileStore {
  let sizes = 0;
  const isSecondSize = (path: string) => /-\d+x\d+\./.test(path) && (sizes += 1) === 2;
  return { ...files, put: (path, sent) => (isSecondSize(path) ? diskFull() : files.put(path, sent)) };
}

describe('the files of a media item', () => {
  let context: TestContext;
  beforeAll(async () => {
    context = await createTestContext();
  }, 60_000);
  afterAll(() => context.store.close());

  const addRow = (file: string) => {
    const date = '2026-11-01 10:00:00';
    const dates = { date, dateGmt: date, modified: date, modifiedGmt: date };
    return context.store.db
      .insert(content)
      .values({ type: 'attachment', status: 'inherit', slug: file, authorId: 1, file, ...dates });
  };

  it('are removed if the process dies before their row is written, at any step', async () => {
    let finished = false;
    for (let step = 0; !finished; step += 1) {
      const folder = temporaryFolder();
      const files = diskFiles(folder);
      finished = await storeMediaFiles(dyingAt(files, step), prepared, place).then(
        () => true,
        () => false,
      );
      if (finished) expect(await served(folder)).toEqual(ALL);
      await recoverPendingFiles(context.store.db, files, 0);
      expect({ step, served: await served(folder), pending: await pending(folder) }).toEqual({
        step,
        served: [],
        pending: [],
      });
    }
  });

  it('are removed immediately if one of them cannot be written, which frees their name', async () => {
    const folder = temporaryFolder();
    const files = fullAtSecondSize(diskFiles(folder));
    await expect(storeMediaFiles(files, prepared, place)).rejects.toThrow('no space left');
    expect([await served(folder), await pending(folder)]).toEqual([[], []]);
    expect((await storeMediaFiles(files, prepared, place)).original).toBe('2026/11/roof.jpg');
    expect(await served(folder)).toEqual(ALL);
  });

  it('stay recorded if they can be neither written nor removed, and the first error is thrown', async () => {
    const folder = temporaryFolder();
    const files = diskFiles(folder);
    const remove = () => Promise.reject(new Error('not removed'));
    await expect(storeMediaFiles({ ...fullAtSecondSize(files), remove }, prepared, place)).rejects.toThrow(
      'no space left',
    );
    expect(await served(folder)).toContain('roof.jpg');
    await recoverPendingFiles(context.store.db, files, 0);
    expect([await served(folder), await pending(folder)]).toEqual([[], []]);
  });

  it('are removed, except an original that another process has written', async () => {
    const folder = temporaryFolder();
    const files = diskFiles(folder);
    const original = '2026/11/roof.jpg';
    const add = async (path: string, sent: Uint8Array) => {
      if (path === original) await files.add(path, bytes('another'));
      return files.add(path, sent);
    };
    await expect(storeMediaFiles({ ...files, add }, prepared, place)).rejects.toThrow('was created by another process');
    expect([await served(folder), await pending(folder)]).toEqual([['roof.jpg'], []]);
    expect((await files.read(original))?.toString()).toBe('another');
  });

  it('are removed immediately with a single process, even if their dates are in the future', async () => {
    const folder = temporaryFolder();
    const files = diskFiles(folder);
    await storeMediaFiles(files, prepared, place);
    await mkdir(`${folder}/.incoming`, { recursive: true });
    await writeFile(`${folder}/.incoming/half`, 'half');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    try {
      await recoverPendingFiles(context.store.db, files, 0);
    } finally {
      vi.useRealTimers();
    }
    expect([await served(folder), await pending(folder), await readdir(`${folder}/.incoming`)]).toEqual([[], [], []]);
  });

  it('stay if the row was written, and so do entries of running processes', async () => {
    const folder = temporaryFolder();
    const files = diskFiles(folder);
    const placed = await storeMediaFiles(files, prepared, place);
    await recoverPendingFiles(context.store.db, files, 60_000);
    expect(await served(folder)).toEqual(ALL);
    await addRow(placed.file);
    await recoverPendingFiles(context.store.db, files, 0);
    expect(await served(folder)).toEqual(ALL);
    expect(await pending(folder)).toEqual([]);
  });

  it('of processes that die later are removed later', async () => {
    const files = diskFiles(temporaryFolder());
    const store: TestContext['store'] = { ...context.store, engine: 'postgres' };
    const several: TestContext = { ...context, store, files: { media: files, uploads: files } };
    const die = async (path: string) => {
      await files.put(path, bytes('x'));
      await recordEntry(files, path, { file: path, paths: [path] });
    };
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      await die('a.jpg');
      for (const [minutes, isThere] of [
        [0, true],
        [14, true],
        [16, false],
      ] as const) {
        vi.setSystemTime(now + minutes * 60_000);
        await recoverMedia(several);
        expect([minutes, await files.has('a.jpg')]).toEqual([minutes, isThere]);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('never take an existing or reserved name', async () => {
    const folder = temporaryFolder();
    const files = diskFiles(folder);
    const many = await Promise.all(Array.from({ length: 5 }, () => storeMediaFiles(files, prepared, place)));
    expect(many.map(({ original }) => original).toSorted()).toEqual([
      '2026/11/roof-1.jpg',
      '2026/11/roof-2.jpg',
      '2026/11/roof-3.jpg',
      '2026/11/roof-4.jpg',
      '2026/11/roof.jpg',
    ]);
    const [first] = many;
    if (!first) throw new Error('Nothing was placed.');
    await removeEntry(files, first.original);
    const like = { ...place, name: { base: 'roof-300x300', extension: 'jpg' } };
    expect((await storeMediaFiles(files, prepared, like)).original).toBe('2026/11/roof-300x300-1.jpg');
    await resolvePendingFiles(context.store.db, files, '2026/11/roof-300x300-1.jpg');
    expect(await files.has('2026/11/roof-300x300-1.jpg')).toBe(false);
    expect((await files.read('2026/11/roof-300x300.jpg'))?.toString()).toBe('medium');
  });
});
