import { statSync, watch } from 'node:fs';
import path from 'node:path';
import { readDigest } from '#snapshot/read-digest.ts';

/** A commit touches the file several times. */
const SETTLE_MS = 300;

/**
 * Calls when a sync has committed other content: the digest decides, not the file's time.
 * @param read Gives the digest; only called when something was written.
 * @returns Ends the watch.
 */
export function watchSnapshot(
  snapshotPath: string,
  onChange: () => Promise<void>,
  read: (snapshotPath: string) => string | undefined = readDigest,
): () => void {
  // Before it is read, or a change between the two would be missed.
  let written = describeWritten(snapshotPath);
  let digest = read(snapshotPath);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    // Whoever reads the snapshot touches what SQLite keeps beside it.
    const writtenNow = describeWritten(snapshotPath);
    if (writtenNow === written) return;
    written = writtenNow;
    const now = read(snapshotPath);
    if (now === undefined || now === digest) return;
    digest = now;
    void onChange();
  };
  const name = path.basename(snapshotPath);
  const watcher = watch(path.dirname(snapshotPath), (_event, file) => {
    if (file !== null && !file.startsWith(name)) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Changes with what is in the snapshot: in its file, or in its log, which is empty or missing after it was only read. */
function describeWritten(snapshotPath: string): string {
  return JSON.stringify(
    [snapshotPath, `${snapshotPath}-wal`].map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat && stat.size > 0 ? [stat.size, stat.mtimeMs, stat.ino] : undefined;
    }),
  );
}
