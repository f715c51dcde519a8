import type { Settings } from '#config/index.ts';
import type { Ui } from '#i18n/index.ts';
import type { ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { WrittenOverlays } from './overlays.ts';

/** A kind of files that a build puts into the site beside Astro's pages. */
export interface FileGenerator {
  /** Names it in the manifest: the files of one that is no longer there are removed. */
  name: string;
  /** Whether it makes do with what has changed: see `GeneratorContext.changes`. @default false */
  takesChanges?: boolean;
  /** Makes its files. They have to depend on nothing but the snapshot and the project: no clock, no chance. */
  update(context: GeneratorContext): void | Promise<void>;
}

/** What has become of products since the last build. */
export type GeneratorChanges = Pick<ProductIndexChanges, 'products' | 'productGroups' | 'gone'>;

export interface GeneratorContext {
  settings: Settings;
  /** Those that are built, in the interface's order. */
  languages: readonly { code: string; name: string }[];
  productIndex: ProductIndex;
  snapshot: SnapshotReader;
  /** Of the snapshot that is built; undefined before the first sync. */
  digest: string | undefined;
  /** The whole of a listed product. */
  readProduct: (listed: ListedEntry) => ProductEntry;
  /** What is written to products in the project. */
  overlays: WrittenOverlays;
  /** The texts of the site in a language. */
  ui: (language: string) => Ui;
  /**
   * Undefined when every file may be another: name all of them with `put` or `keep`, the others are removed. Otherwise
   * nothing but these products has changed in what products are made of (files, languages, families, configuration):
   * name what they change, the other files stay. Only for outputs that take changes.
   */
  changes: GeneratorChanges | undefined;
  /** Files of pages that the last build had and this one has not, as far as it is known. */
  left: readonly string[];
  /**
   * Puts a file into the site. One in `public/` goes before it.
   * @param file Its path with slashes, relative to the site.
   * @param content Made only if need be, when it is a function. The images and documents that a text refers to are put
   *   into the site as well.
   * @param key Names all that the content is made of, besides the project: a file of the same key is left alone.
   */
  put(file: string, content: FileContent | (() => FileContent), key?: string): void;
  /**
   * Leaves alone what the last build has put below a folder, all of it with this key. Where changes are taken, it has
   * the manifest's word for the files, of which there may be thousands; else all of them still have to be there.
   * @param folder Without a slash at its end.
   * @returns False when the files have to be made.
   */
  keep(folder: string, key: string): boolean;
  /** Removes a file of this output, if there is such a one; only needed when changes are taken. */
  remove(file: string): void;
  /** Files of this output below a folder that are in the site now, by their paths. */
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
