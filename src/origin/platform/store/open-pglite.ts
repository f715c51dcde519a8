import { closeSync, fsyncSync, openSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { PgliteClient } from './pglite-client.ts';

/**
 * WAL is limited, as without a checkpointer process, recovery reads up to `max_wal_size`. The default 128 MB of
 * buffers would all be used over time and never released.
 */
const SETTINGS = ['wal_sync_method=fsync', 'max_wal_size=64MB', 'min_wal_size=16MB', 'shared_buffers=16MB'];

/**
 * Starts PGlite. An empty folder is initialised first. The caller ensures that no other process has the folder open.
 *
 * @param folder folder of the database
 * @param isDurable true to flush commits to the disk. False only while the initial image is built
 */
export async function startPglite(folder: string, isDurable = true) {
  // Recompiling Postgres with optimisations temporarily takes half a gigabyte.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  const files = new DurableFileSystem(folder);
  try {
    const pglite = await PGlite.create({
      fs: files,
      startParams: [
        ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F' || !isDurable),
        ...SETTINGS.flatMap((setting) => ['-c', setting]),
      ],
      initDbStartParams: ['--wal-segsize=1'],
    });
    // Opening a store flushes the control file. Without a flush, PGlite doesn't use the hook.
    if (isDurable && files.flushes === 0)
      throw createNotDurableError('PGlite opened the store without flushing anything to the disk.');
    return { client: new PgliteClient(pglite), files };
  } catch (error) {
    if (isSortimentError(error)) throw error;
    throw new SortimentError('STORE_UNREADABLE', `The store in ${folder} can't be opened: ${String(error)}`, {
      hint: 'Restore the folder from a backup, or delete it to start with an empty store.',
      cause: error,
    });
  }
}

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
  throw createNotDurableError('This version of PGlite has an unexpected file system layout.');
}

function createNotDurableError(message: string): SortimentError {
  return new SortimentError('STORE_NOT_DURABLE', message, {
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
