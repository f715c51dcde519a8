import type { Settings } from '#config/index.ts';
import type { createUi, Ui } from '#i18n/index.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import { splitGroupKey, type ProductIndexChanges } from '#catalogue/read-model/update-product-index.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { ProductOverlays } from './overlays.ts';

/** Generates files of the site that Astro doesn't render. */
export interface FileGenerator {
  /** Name in the manifest. Files of generators that no longer exist are removed. */
  name: string;
  /** True if it can update only changed files (see `GeneratorContext.changes`). @default false */
  takesChanges?: boolean;
  /** Writes its files. Output is deterministic and depends only on the snapshot and the project. */
  update(context: GeneratorContext): void | Promise<void>;
}

/** Products that changed since the last build. */
export type GeneratorChanges = Pick<ProductIndexChanges, 'products' | 'productGroups' | 'gone'>;

/** Returns the GTINs of the changed products of a language; undefined if any may have changed. */
export function changedGtins(changes: GeneratorChanges | undefined, language: string): string[] | undefined {
  const products = changes && [...changes.products].map(splitGroupKey);
  return products?.filter((product) => product.language === language).map(({ rest: gtin }) => gtin);
}

export interface GeneratorContext {
  settings: Settings;
  /** Built languages, in the interface's order. */
  languages: readonly { code: string; name: string }[];
  productIndex: ProductIndex;
  /** Snapshot with cached reads. */
  snapshot: SnapshotReader;
  /** Source of posts, pages and episodes, for this snapshot and these languages. */
  source: LoaderSource;
  /** Digest of the built snapshot. Undefined before the first sync. */
  digest: string | undefined;
  readProduct: (listed: ProductListEntry) => ProductEntry;
  overlays: ProductOverlays;
  /** Returns the texts of a language. `create`: `createPageUi` for HTML. */
  ui: (language: string, create?: typeof createUi) => Ui;
  /**
   * Undefined if any file may have changed. The generator then names all its files with `put` or `keep`, and the rest
   * is removed. Otherwise only these products have changed, and other files are preserved. Requires `takesChanges`.
   */
  changes: GeneratorChanges | undefined;
  /** Files of pages that only the last build had, as far as known. */
  left: readonly string[];
  /**
   * Writes a file into the site. Files in `public/` take precedence.
   * @param file Path with slashes, relative to the site.
   * @param content Content, or a function that is called only if necessary. Images and documents that a text refers to
   * are added to the site as well.
   * @param key Identifies all sources of the content besides the project. A file with the same key isn't rewritten.
   */
  put(file: string, content: FileContent | (() => FileContent), key?: string): void;
  /** Preserves a file that `put` would leave as it is. Returns false if its content has to be made. */
  keepFile(file: string, key: string): boolean;
  /**
   * Preserves the last build's files below a folder if all of them have this key. With `changes`, it trusts the
   * manifest, because there may be thousands of files. Otherwise all of them must still exist.
   * @param folder Path without a trailing slash.
   * @returns False if the files have to be generated.
   */
  keep(folder: string, key: string): boolean;
  /** Removes a file of this generator if it exists. Only needed with `changes`. */
  remove(file: string): void;
  /** Returns the current files of this generator below a folder, sorted by path. */
  files(folder: string): GeneratedFile[];
  isPage(file: string): boolean;
  /** Reads a current text file of the site. Pages have been rendered. */
  readPage(file: string): string | undefined;
  warn(message: string): void;
}

export type FileContent = string | Uint8Array;

export interface GeneratedFile {
  file: string;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
}

const EVERY_MS = 5000;

/**
 * Creates a function that reports progress at intervals: `120 of 790 images`, or `120 images` if the total is unknown.
 * @param what Plural noun for the items.
 */
export function createProgressReporter(
  what: string,
  report: (message: string) => void,
): (done: number, total: number | undefined) => void {
  let reported = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - reported < EVERY_MS || done === total) return;
    reported = now;
    report(`${total === undefined ? done : `${done} of ${total}`} ${what}`);
  };
}
