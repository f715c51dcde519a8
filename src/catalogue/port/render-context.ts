import type { Cue } from '#contracts/podcast/index.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import type { IndexedPage, ProductIndex } from './product-index.ts';

/** Entries of a collection as pages get them. */
export type CollectionEntries = readonly { id: string; data: unknown; digest?: string | number | undefined }[];

/** Of the data of a product that is read when it is used: names all of it. */
export const RECORD_DIGEST = Symbol('digest of a record');

/** What a build and the pages that it renders share. */
export interface RenderContext {
  /** What lists show of products. */
  productIndex?: () => ProductIndex;
  /** Reads the whole of a listed product from the snapshot. */
  readProduct?: (listed: ListedEntry) => ProductEntry;
  /** Reads the transcript of an episode, by the digest of its file; empty where there is none. */
  readTranscript?: (digest: string) => readonly Cue[];
  /** Collections to read instead of those in Astro's store. */
  provided?: Pick<ReadonlyMap<string, CollectionEntries>, 'get'>;
  /** Is filled with the collections that pages read from Astro's store. */
  seen?: Map<string, CollectionEntries>;
  /**
   * Set when only a part of the product pages is looked at. A route that reads it while its paths are asked for is taken
   * for one whose pages depend on it, so what is read here must not be kept.
   */
  scope?: RenderScope | undefined;
}

/** The product pages that are looked at. */
export interface RenderScope {
  /** `<language>/<family>` of the lists that show something else. */
  productGroups: ReadonlySet<string>;
  products: readonly IndexedPage[];
  /** Whether pages are looked at besides that may show something else although their product is as it was. */
  withCrossReferenced: boolean;
}

/**
 * Of the build or dev server that runs this code. Pages run in a bundle with modules of its own, but this one, which they
 * have from the project as the build has it.
 */
export const renderContext: { current: RenderContext | undefined } = { current: undefined };
