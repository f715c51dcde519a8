import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { diskFiles } from './disk-files.ts';

test('removes incomplete writes', async () => {
  const folder = temporaryFolder();
  const files = diskFiles(folder);
  await mkdir(join(folder, '.incoming'));
  await writeFile(join(folder, '.incoming/half'), 'ha');
  await files.removeUnfinished(60_000);
  expect(await readdir(join(folder, '.incoming'))).toEqual(['half']);
  await files.removeUnfinished(0);
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
});

test('a write leaves no temporary files', async () => {
  const folder = temporaryFolder();
  const files = diskFiles(folder);
  await files.add('a.txt', Buffer.from('1'));
  expect(await files.add('a.txt', Buffer.from('2'))).toBe(false);
  await files.put('a.txt', Buffer.from('3'));
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
});
