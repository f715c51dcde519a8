import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openManifest } from '#build/manifest/build-manifest.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { FileGenerator } from '../generator.ts';
import { updateGeneratedFiles } from '../update-files.ts';

/** Returns the text files that generators create from a synced snapshot, by path. For tests. */
export async function readGenerated(
  settings: Settings,
  generators: readonly FileGenerator[],
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  // Provides the messages of the site.
  const project = { ...settings, root: path.resolve(import.meta.dirname, '../../..') };
  const host = openUpdatedReaders(project);
  const snapshot = openSnapshot(project.snapshotPath, { readOnly: true });
  const manifest = openManifest(':memory:');
  try {
    manifest.change();
    await updateGeneratedFiles(project, {
      generators,
      host: {
        productIndex: host.productIndex(),
        readProduct: host.readProduct,
        snapshot,
        digest: snapshot.digest(),
        overlays: () => readOverlays(project.root),
      },
      manifest: manifest.generated,
      isReliable: false,
      changes: undefined,
      publicFiles: new Set(),
      isPage: () => false,
      isThere: () => false,
      write: (file, bytes) => void files.set(file, Buffer.from(bytes).toString()),
      readPage: (file) => files.get(file),
      warn: () => undefined,
    });
    return files;
  } finally {
    manifest.close();
    snapshot.close();
    host.close();
  }
}
