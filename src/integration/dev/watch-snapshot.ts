import { watch } from 'node:fs';
import path from 'node:path';
import { readDigest } from '../read-digest.ts';

/** A commit touches the file several times. */
const SETTLE_MS = 300;

/**
 * Calls when a sync has committed other content: the digest decides, not the file's time.
 * @returns Ends the watch.
 */
export function watchSnapshot(snapshotPath: string, onChange: () => Promise<void>): () => void {
  let digest = readDigest(snapshotPath);
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = readDigest(snapshotPath);
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
