import type { Settings } from '#config/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { WrittenOverlays } from './overlays.ts';

/** Writes files into the site that Astro does not render. */
export interface FileGenerator {
  /** Its name in the manifest: files of a generator that no longer exists are removed. */
  name: string;
  /** Whether it can update only what has changed: see `GeneratorContext.changes`. @default false */
  takesChanges?: boolean;
  /**
   * Whether it may start before pages are rendered, as it waits for another process. It must not use `left`, `isPage` and
   * `readPage`, and puts its files into a folder of their own. @default false
   */
  isEarly?: boolean;
  /** Writes its files. Output is deterministic: it depends on the snapshot and the project only. */
  update(context: GeneratorContext): void | Promise<void>;
}

/** What has become of products since the last build. */
export type GeneratorChanges = Pick<ProductIndexChanges, 'products' | 'productGroups' | 'gone'>;

export interface GeneratorContext {
  settings: Settings;
  /** Those that are built, in the interface's order. */
  languages: readonly { code: string; name: string }[];
  productIndex: ProductIndex;
  /** Remembers what it has read. */
  snapshot: SnapshotReader;
  /** What posts, pages and episodes are read from, with this snapshot and these languages. */
  source: LoaderSource;
  /** Of the snapshot that is built; undefined before the first sync. */
  digest: string | undefined;
  /** The full record of a listed product. */
  readProduct: (listed: ListedEntry) => ProductEntry;
  /** What is written to products in the project. */
  overlays: WrittenOverlays;
  /** The texts of the site in a language. */
  ui: (language: string) => Ui;
  /**
   * Undefined when any file may have changed: name all of them with `put` or `keep`; the others are removed. Otherwise
   * only these products have changed: name their files, the others stay. Only for generators that take changes.
   */
  changes: GeneratorChanges | undefined;
  /** Files of pages that the last build had and this one has not, as far as it is known. */
  left: readonly string[];
  /**
   * Writes a file into the site. Files in `public/` take precedence.
   * @param file Its path with slashes, relative to the site.
   * @param content Made only if need be, when it is a function. The images and documents that a text refers to are put
   *   into the site as well.
   * @param key Names all that the content is made of, besides the project: a file of the same key is left alone.
   */
  put(file: string, content: FileContent | (() => FileContent), key?: string): void;
  /**
   * Leaves the files of the last build below a folder as they are, if all of them have this key. Where changes are
   * taken, it trusts the manifest, as there may be thousands of files; else all of them must still exist.
   * @param folder Without a slash at its end.
   * @param next The key that they have from now on. @default `key`
   * @returns False when the files have to be made.
   */
  keep(folder: string, key: string, next?: string): boolean;
  /** The key of the files of the last build below a folder. */
  keyBelow(folder: string): string | undefined;
  /** Removes a file of this generator, if it exists; only needed when changes are taken. */
  remove(file: string): void;
  /** Files of this generator below a folder that are in the site now, by their paths. */
  files(folder: string): PutFile[];
  /** Whether a page stands there, by its file. */
  isPage(file: string): boolean;
  /** Reads a text of the site, as it is now, by its file: pages have just been built. */
  readPage(file: string): string | undefined;
  warn(message: string): void;
}

export type FileContent = string | Uint8Array;

/** A file as the manifest knows it. */
export interface PutFile {
  file: string;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  digest: string;
}
