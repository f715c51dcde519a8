import type { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { DurableFileSystem } from './open-pglite.ts';

const prepare = async () => {
  const files = new DurableFileSystem(temporaryFolder());
  const { emscriptenOpts } = await files.init({} as PGlite, {});
  const [addFsync] = (emscriptenOpts.preRun ?? []) as ((module: unknown) => void)[];
  return { files, addFsync };
};

test('says so when PGlite keeps its file system elsewhere', async () => {
  const { addFsync } = await prepare();
  expect(() => addFsync?.({})).toThrow(expect.objectContaining({ code: 'STORE_NOT_DURABLE' }));
});

test('flushes files, and folders, which have no descriptor', async () => {
  const { files, addFsync } = await prepare();
  const folder = temporaryFolder();
  const nodefs: { stream_ops: { fsync?: (stream: unknown) => number }; realPath: () => string } = {
    stream_ops: {},
    realPath: () => folder,
  };
  addFsync?.({ NODEFS: nodefs });
  expect(nodefs.stream_ops.fsync?.({ node: {} })).toBe(0);
  expect(() => nodefs.stream_ops.fsync?.({ nfd: 9999, node: {} })).toThrow('EBADF');
  expect(files.flushes).toBe(2);
});
