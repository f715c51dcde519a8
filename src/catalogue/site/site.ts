import type { CollectionEntry } from 'astro:content';
import type { Cue } from '#contracts/podcast/index.ts';
import type { HeadEntry } from '#catalogue/entries/head-entry.ts';
import type {
  PageEntry,
  PostEntry,
  ProductListEntry,
  NormEntry,
  ProductEntry,
  StaleSource,
} from '#catalogue/entries/entries.ts';
import type { EpisodeEntry, PodcastEntry } from '#catalogue/entries/podcast.ts';
import type { Norm } from '../norms/collect-norms.ts';
import type { GroupNorm } from '../norms/norm-groups.ts';
import type { DirectoryPage, DirectoryRow, ListedDocuments, DiscontinuedProduct } from '../read-model/product-index.ts';
import type { OverlayData } from '../products/listed-product.ts';
import type { ProductGroup } from './product-groups.ts';

/** A page in `content/pages/<language>/<slug>.mdx`. The same slug in another language is its translation. */
export interface LocalPage {
  entry: CollectionEntry<'localPages'>;
  language: string;
  slug: string;
  path: string;
}

/**
 * Data of all pages, sorted. Products are read lazily from the product index, group by group. Other data comes from
 * collections.
 */
export interface Site {
  languages: { code: string; name: string }[];
  mainLanguage: string;
  /** Messages of the site by language, from `content/strings/`. */
  dictionaries: Record<string, Record<string, string>>;
  /** Snapshot of the pages with its timestamp. Undefined before the first sync. */
  snapshot: { digest: string; taken: Date } | undefined;
  /** Sources that the last sync couldn't read. */
  stale: readonly StaleSource[];
  /** Counts the current products in a language, and their documents. */
  count: (language: string) => { products: number; documents: number };
  /** Returns a current or discontinued product. Discontinued products have a page but no group. */
  product: (language: string, gtin: string) => ProductListEntry | undefined;
  /** Returns the current products with these names or item numbers, at most `limit` per name, by GTIN. */
  named: (language: string, names: readonly string[], limit: number) => ProductListEntry[];
  /** Returns the products after a product in its family, wrapping to the first. */
  neighbours: (language: string, gtin: string) => readonly ProductListEntry[];
  /** Returns the data that overlays add to a product in a language, besides text. */
  additions: (language: string, gtin: string) => OverlayData;
  /** Returns the GTINs of products whose overlays state a coverage. */
  covering: () => string[];
  /** Returns the current formats of a product, including itself. Empty if it is the only one. */
  variants: (language: string, gtin: string) => ProductListEntry[];
  /** Returns the current accessories of a product. */
  accessories: (language: string, gtin: string) => ProductListEntry[];
  /** Returns the product that replaces another according to overlays. */
  successor: (language: string, gtin: string) => ProductListEntry | undefined;
  /** Reads the record of a listed product. @throws SortimentError SNAPSHOT_CHANGED */
  details: (listed: ProductListEntry) => ProductEntry;
  /** Returns the current products as groups, from which pages list, count and link products. */
  productGroups: (language: string) => readonly ProductGroup[];
  /** Returns the documents of a current or discontinued product. */
  documents: (language: string, gtin: string) => ListedDocuments;
  /** Returns discontinued products with documents. */
  discontinued: (language: string) => readonly DiscontinuedProduct[];
  /** Returns the norms under which current products declare values, by name. */
  norms: (language: string) => readonly Norm[];
  /** Returns the values that a family declares under a norm, up to the limit of the norm's page. */
  normInGroup: (language: string, norm: string, family: string | undefined) => GroupNorm | undefined;
  /** Returns the editorial text of a norm by its slug. */
  normEntry: (norm: string) => NormEntry | undefined;
  /** Returns the pages of the product tables. */
  directoryPages: (language: string) => readonly DirectoryPage[];
  directoryRows: (language: string, page: Pick<DirectoryPage, 'list' | 'section' | 'number'>) => DirectoryRow[];
  /**
   * Returns products whose page may change although their data hasn't. Their overlays have components, whose reads
   * can't be tracked. If lists have changed, products with references to others are included.
   */
  crossReferenced: (haveListsChanged: boolean) => ProductListEntry[];
  /** Newest first. */
  posts: (language: string) => readonly PostEntry[];
  hasPosts: (language: string) => boolean;
  pages: (language: string) => readonly PageEntry[];
  page: (id: string) => PageEntry | undefined;
  localPages: (language: string) => readonly LocalPage[];
  overlay: (language: string, gtin: string) => CollectionEntry<'overlays'> | undefined;
  /** Returns the podcast in a language. Undefined if it has no episodes. */
  podcast: (language: string) => PodcastEntry | undefined;
  hasPodcast: (language: string) => boolean;
  /** Newest first. */
  episodes: (language: string) => readonly EpisodeEntry[];
  /** Returns the transcript of an episode. Empty if there is none. */
  transcript: (episode: Pick<EpisodeEntry, 'transcript'>) => readonly Cue[];
  /** Returns the imported head of a page. */
  head: (path: string) => HeadEntry | undefined;
  /** Returns the paths directly below a folder that have an imported head. */
  headPaths: (folder: string) => readonly string[];
  /** Returns the digest of everything that a product's page shows, excluding its neighbours. */
  productDigest: (language: string, gtin: string) => string | undefined;
  /** Returns the digest of everything that pages show of a collection entry or listed product. */
  digestOf: (entry: object) => string | undefined;
}
