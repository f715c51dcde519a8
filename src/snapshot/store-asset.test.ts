import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { storeAsset } from './store-asset.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortiment-assets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps bytes under their digest, once, and nothing half', async () => {
  const bytes = Buffer.from('%PDF-1.7');
  const digest = createHash('sha256').update(bytes).digest('hex');
  const stored = await Promise.all(Array.from({ length: 10 }, () => storeAsset(folder, bytes, 'pdf')));
  for (const one of stored) expect(one).toEqual({ digest, file: `${digest.slice(0, 2)}/${digest.slice(2)}.pdf` });
  expect(await readdir(path.join(folder, digest.slice(0, 2)))).toEqual([`${digest.slice(2)}.pdf`]);
  expect(await readFile(path.join(folder, stored[0]?.file ?? ''))).toEqual(bytes);
});
