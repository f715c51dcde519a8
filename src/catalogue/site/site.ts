import type { CollectionEntry } from 'astro:content';
import type { Cue } from '#contracts/podcast/index.ts';
import type { EditedHead } from '#model/edited-head.ts';
import type { PageEntry, PostEntry, ListedEntry, NormEntry, ProductEntry, StaleSource } from '#model/entries.ts';
import type { EpisodeEntry, PodcastEntry } from '#model/podcast.ts';
import type { Norm } from '../norms/collect-norms.ts';
import type { NormInGroup } from '../norms/norm-groups.ts';
import type { DirectoryPage, DirectoryRow } from '../port/directory.ts';
import type { DiscontinuedProduct } from '../port/listed-rows.ts';
import type { ListedDocuments } from '../port/product-index.ts';
import type { Additions } from '../products/additions.ts';
import type { ProductGroup } from './product-groups.ts';

/** A page written in `content/pages/<language>/<slug>.mdx`; the same slug in another language is its translation. */
export interface LocalPage {
  entry: CollectionEntry<'localPages'>;
  language: string;
  slug: string;
  path: string;
}

/**
 * Everything that pages list and link, put in order: products from the product index, product group by product group when they are asked
 * for, all else from the collections.
 */
export interface Site {
  languages: { code: string; name: string }[];
  mainLanguage: string;
  /** Texts of the site by language, from `content/strings/`. */
  dictionaries: Record<string, Record<string, string>>;
  /** What the pages were made from, and when it was taken; undefined before the first sync. */
  snapshot: { digest: string; taken: Date } | undefined;
  /** Sources that could not be read lately. */
  stale: readonly StaleSource[];
  /** How many products are offered in a language, and how many documents they have. */
  count: (language: string) => { products: number; documents: number };
  /** Offered or not: what is no longer offered keeps its page, but stands on no product group. */
  product: (language: string, gtin: string) => ListedEntry | undefined;
  /** What is offered under these names or item numbers, of each name no more than `limit`, by GTIN. */
  named: (language: string, names: readonly string[], limit: number) => ListedEntry[];
  /** Those behind a product in its family, going round. */
  neighbours: (language: string, gtin: string) => readonly ListedEntry[];
  /** What overlays add to a product in a language, besides their text. */
  additions: (language: string, gtin: string) => Additions;
  /** GTINs of the products of which overlays say how far they go. */
  covering: () => string[];
  /** The formats in which a product is offered, itself among them; none when there is no other. */
  variants: (language: string, gtin: string) => ListedEntry[];
  /** What is offered and used with it. */
  accessories: (language: string, gtin: string) => ListedEntry[];
  /** The product to take instead of another, as the overlays say. */
  successor: (language: string, gtin: string) => ListedEntry | undefined;
  /** All that there is to know of a listed product. @throws SortimentError SNAPSHOT_CHANGED */
  details: (listed: ListedEntry) => ProductEntry;
  /** What is offered: whatever lists, counts or links products takes them from here. */
  productGroups: (language: string) => readonly ProductGroup[];
  /** Of a product, offered or not. */
  documents: (language: string, gtin: string) => ListedDocuments;
  /** What is no longer offered and has documents. */
  discontinued: (language: string) => readonly DiscontinuedProduct[];
  /** Norms that offered products declare something under, by their names. */
  norms: (language: string) => readonly Norm[];
  /** What a family declares under a norm, as far as the page of the norm shows it. */
  normInGroup: (language: string, norm: string, family: string | undefined) => NormInGroup | undefined;
  /** What is written of a norm, by its slug. */
  normEntry: (norm: string) => NormEntry | undefined;
  /** The pages of the tables of all products, and the rows of one. */
  directoryPages: (language: string) => readonly DirectoryPage[];
  directoryRows: (language: string, page: Pick<DirectoryPage, 'list' | 'section' | 'number'>) => DirectoryRow[];
  /**
   * Products whose page may show something else although nothing of theirs has changed: what is written to them has
   * components, of which nobody knows what they show; and, when lists show something else, it names others that
   * overlays tell of.
   */
  crossReferenced: (haveListsChanged: boolean) => ListedEntry[];
  /** Newest first. */
  posts: (language: string) => readonly PostEntry[];
  hasPosts: (language: string) => boolean;
  pages: (language: string) => readonly PageEntry[];
  page: (id: string) => PageEntry | undefined;
  localPages: (language: string) => readonly LocalPage[];
  overlay: (language: string, gtin: string) => CollectionEntry<'overlays'> | undefined;
  /** The podcast in a language; undefined where it has no episodes. */
  podcast: (language: string) => PodcastEntry | undefined;
  hasPodcast: (language: string) => boolean;
  /** Newest first. */
  episodes: (language: string) => readonly EpisodeEntry[];
  /** What is said in an episode; empty without a transcript. */
  transcript: (episode: Pick<EpisodeEntry, 'transcript'>) => readonly Cue[];
  /** What the publishing site wants the head of the page at a path to say. */
  head: (path: string) => EditedHead | undefined;
  /** The paths right below a path for which it wants something. */
  headPaths: (folder: string) => readonly string[];
  /** Names all that the page of a product can show of it, without its neighbours. */
  productDigest: (language: string, gtin: string) => string | undefined;
  /** Names all that pages can show of an entry of a collection, or of a product in a list. */
  digestOf: (entry: object) => string | undefined;
}
