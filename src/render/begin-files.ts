import type { AstroIntegrationLogger } from 'astro';
import type { Settings } from '#config/index.ts';
import { isThere, readPage } from '#files/built-files.ts';
import type { PageWriter } from '#files/page-writer.ts';
import {
  beginGeneratedFiles,
  generateInWorkers,
  GENERATORS,
  type GeneratedFiles,
  type GeneratorResult,
} from '#generated/index.ts';
import type { OverlayEntries } from '#generated/overlays.ts';
import type { ProductIndexChanges } from '#product-index/index.ts';
import type { ProductReaders } from '#product-index/product-readers.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { BuildManifest } from './manifest/build-manifest.ts';
import { prerenderMode } from './prerender-mode.ts';
import { poolSize } from './render-job.ts';

export interface BeginFilesOptions {
  /** With an open transaction. */
  manifest: BuildManifest;
  /** Whether the manifest tells what the last build has left in the site. */
  isReliable: boolean;
  /** Whether all of that is known to be there. */
  areThere: boolean;
  /** What products are read from, and what has become of them; undefined when everything may be another. */
  host: ProductReaders;
  changes: ProductIndexChanges | undefined;
  /** What is written to products; called when it is needed. */
  overlays: () => OverlayEntries;
  snapshot: SnapshotReader;
  writer: PageWriter;
  /** Of the snapshot that was built. */
  digest: string | undefined;
  logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
  /** Files of `public/`. */
  publicFiles: ReadonlySet<string>;
}

/** Starts to update the generated files. Those that need pages are made when `finish` is called. */
export function beginFiles(settings: Settings, options: BeginFilesOptions): GeneratedFiles {
  const { host, overlays, snapshot, digest, manifest, isReliable, areThere, changes, publicFiles, writer, logger } =
    options;
  const { distFolder } = settings;
  const makeMany = async (adopt: (made: GeneratorResult) => void): Promise<void> => {
    const size = poolSize(manifest.countPages(), prerenderMode().threads);
    if (size === 0) return;
    const adoptMade = (made: GeneratorResult): void => {
      for (const warning of made.warnings) logger.warn(warning);
      adopt(made);
    };
    await generateInWorkers(size, { settings, digest, publicFiles }, adoptMade, (message) => logger.warn(message));
  };
  return beginGeneratedFiles(settings, {
    generators: GENERATORS,
    host: { productIndex: host.productIndex(), readProduct: host.readProduct, snapshot, digest, overlays },
    manifest: manifest.generated,
    isReliable,
    changes,
    publicFiles,
    isPage: manifest.isPage,
    isThere: (file, bytes) => areThere || isThere(distFolder, file, bytes),
    write: (file, bytes) => void writer.write(file, bytes),
    readPage: (file) => readPage(distFolder, file),
    warn: (message) => logger.warn(message),
    makeMany,
  });
}
