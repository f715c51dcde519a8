import type { Cue } from '#contracts/podcast/transcript.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import type { IndexedPage, ProductIndex } from '../read-model/product-index.ts';

/** Entries of a collection as pages read them. */
export type CollectionEntries = readonly { id: string; data: unknown; digest?: string | number | undefined }[];

/** Property of a lazily read product: digest of its whole record. */
export const RECORD_DIGEST = Symbol('digest of a record');

/** Data shared by a build and the pages that it renders. */
export interface RenderContext {
  /** Snapshot of the collections, if it isn't that of the project. */
  snapshotPath?: string | undefined;
  productIndex?: () => ProductIndex;
  readProduct?: (listed: ProductListEntry) => ProductEntry;
  /** Reads the transcript of an episode by the digest of its file. Empty if there is none. */
  readTranscript?: (digest: string) => readonly Cue[];
  /** Collections that take precedence over Astro's store. */
  provided?: Pick<ReadonlyMap<string, CollectionEntries>, 'get'>;
  /** Receives the collections that pages read from Astro's store. */
  seen?: Map<string, CollectionEntries>;
  /**
   * Set if only some product pages are checked. A route that reads it in `getStaticPaths` is treated as dependent on
   * it, so don't cache derived values.
   */
  scope?: RenderScope | undefined;
}

export interface RenderScope {
  /** `<language>/<family>` of changed lists. */
  productGroups: ReadonlySet<string>;
  products: readonly IndexedPage[];
  /** True if pages are checked that may change although their product hasn't. */
  withCrossReferenced: boolean;
}

/**
 * Context of the current build or dev server. Pages run in a bundle with its own modules, but share this one with the
 * build.
 */
export const renderContext: { current: RenderContext | undefined } = { current: undefined };
