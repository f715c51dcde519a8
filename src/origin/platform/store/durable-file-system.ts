import { closeSync, fsyncSync, openSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { SortimentError } from '#contracts/index.ts';

/**
 * PGlite's Node file system with fsync, which stock PGlite never calls (github.com/electric-sql/pglite/issues/1107):
 * a power cut could lose acknowledged rows.
 *
 * Start Postgres without `-F` and with `wal_sync_method=fsync`; the default, fdatasync, has no hook here.
 */
export class DurableFileSystem extends NodeFS {
  /** Number of flushes of files and directories. */
  flushes = 0;

  override async init(pglite: PGlite, options: EmscriptenOptions): Promise<Awaited<ReturnType<NodeFS['init']>>> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const addFsync = (module: unknown) => {
      const nodefs = readNodefs(module);
      nodefs.stream_ops.fsync = (stream) => {
        this.flushes += 1;
        if (stream.nfd === undefined) flushFolder(nodefs.realPath(stream.node));
        else fsyncSync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [addFsync, ...(emscriptenOpts.preRun ?? [])] } };
  }
}

type EmscriptenOptions = Parameters<NodeFS['init']>[1];

/** The parts of Emscripten's NODEFS used here. The stream of a directory has no file descriptor. */
interface Nodefs {
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
  realPath(node: unknown): string;
}

function readNodefs(module: unknown): Nodefs {
  const nodefs = (module as { NODEFS?: Partial<Nodefs> }).NODEFS;
  if (typeof nodefs?.stream_ops === 'object' && typeof nodefs.realPath === 'function') return nodefs as Nodefs;
  throw new SortimentError('STORE_NOT_DURABLE', 'This version of PGlite has an unexpected file system layout.', {
    hint: 'Install the exact version of @electric-sql/pglite required by package.json.',
  });
}

function flushFolder(path: string): void {
  // Windows can't flush a folder.
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
