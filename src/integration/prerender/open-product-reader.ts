import type { Settings } from '../../config/index.ts';
import { readFullProduct, type BuildHost } from '../../loaders/index.ts';
import { openSnapshot, type Snapshot } from '../../snapshot/index.ts';

export interface ProductReader {
  read: NonNullable<BuildHost['readProduct']>;
  close(): void;
}

/**
 * Reads whole products for their pages. A build keeps the snapshot open; a dev server, under which it may be replaced
 * at any time, opens it for each page.
 */
export function openProductReader(
  { snapshotPath, options }: Settings,
  { keepOpen }: { keepOpen: boolean },
): ProductReader {
  let open: Snapshot | undefined;
  const close = (): void => {
    open?.close();
    open = undefined;
  };
  return {
    read: (listed) => {
      open ??= openSnapshot(snapshotPath, { readOnly: true });
      try {
        return readFullProduct(open, options, listed);
      } finally {
        if (!keepOpen) close();
      }
    },
    close,
  };
}
