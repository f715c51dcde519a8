import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/fixtures/temporary-folder.ts';
import { diskFiles } from './disk-files.ts';
import type { FileStore } from './file-store.ts';

const bytes = (text: string) => Buffer.from(text);

describe('diskFiles', () => {
  let folder: string;
  let files: FileStore;
  beforeEach(() => {
    folder = temporaryFolder();
    files = diskFiles(folder);
  });

  it('adds a file once, however many try at the same time', async () => {
    const tries = Array.from({ length: 8 }, (_, n) => files.add('2026/11/a.txt', bytes(`${n}`)));
    const added = (await Promise.all(tries)).indexOf(true);
    expect((await files.read('2026/11/a.txt'))?.toString()).toBe(String(added));
    expect(await files.add('2026/11/a.txt', bytes('again'))).toBe(false);
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  });

  it('replaces, lists and removes', async () => {
    await files.put('a/b.txt', bytes('1'));
    await files.put('a/b.txt', bytes('2'));
    expect((await files.read('a/b.txt'))?.toString()).toBe('2');
    expect((await files.list('a')).map(({ path }) => path)).toEqual(['a/b.txt']);
    await files.remove('a/b.txt');
    await files.remove('a/b.txt');
    expect(await files.has('a/b.txt')).toBe(false);
    expect(await files.read('a/b.txt')).toBeUndefined();
    expect(await files.list('nowhere')).toEqual([]);
  });

  it('names nothing outside its folder', async () => {
    for (const path of ['../x', '/etc/passwd', 'a/../../x', 'a\0b', '', '.'])
      await expect(files.add(path, bytes('x'))).rejects.toMatchObject({ code: 'FILE_OUTSIDE' });
  });

  it('forgets what was begun and never finished', async () => {
    await mkdir(join(folder, '.incoming'));
    await writeFile(join(folder, '.incoming/half'), 'ha');
    await files.removeUnfinished(60_000);
    expect(await readdir(join(folder, '.incoming'))).toEqual(['half']);
    await files.removeUnfinished(0);
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  });
});
