import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A separate small file system that tests can fill up. */
export interface TestDisk {
  folder: string;
  /** Fills the disk up to the given number of free bytes. */
  fill(leaveBytes: number): void;
  /** Frees the space again. */
  empty(): void;
  remove(): void;
}

/** Mounts a test disk. Undefined if mounting is not permitted; it requires root on Linux. */
export function openTestDisk(megabytes: number): TestDisk | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-disk-'));
  const remove = (): void => {
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  if (status !== 0) {
    remove();
    return undefined;
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fill(leaveBytes) {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
    },
    empty: () => rmSync(filler, { force: true }),
    remove,
  };
}
