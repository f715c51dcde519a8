import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file system of its own, so small that it gets full. */
export interface TestDisk {
  folder: string;
  /** Takes all room but so much. */
  fill(leaveBytes: number): void;
  /** Gives back what was taken. */
  empty(): void;
  remove(): void;
}

/** Undefined where nothing may be mounted: everywhere but on Linux with the rights of its administrator. */
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
