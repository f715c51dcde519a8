import { digestQuery, recordReads, querySources, type RecordedReads, type QuerySource } from './tracked-queries.ts';
import { digestEpisodeProducts } from '../podcast/podcast-pages.ts';
import { loadSite } from './load-site.ts';

/** Interface through which a build tracks the reads of pages. */
export interface ReadRecorder {
  /** Records all reads while a page is rendered. */
  record<T>(render: () => T): { result: T; reads: RecordedReads };
  /** Returns the current digest of a recorded read. */
  answer(read: string): string | undefined;
  /** Returns the sources of a recorded read. Undefined if the query doesn't exist any more. */
  sourcesOf(read: string): readonly QuerySource[] | undefined;
  /**
   * Returns the products mentioned in episodes, by `<language>/<gtin>`, with a digest of the episodes on their pages.
   */
  episodeProducts(): Record<string, string>;
}

/** Creates a recorder for the current site. Exported by the bundle, so that it shares its modules with the pages. */
export async function createReadRecorder(): Promise<ReadRecorder> {
  const site = await loadSite();
  return {
    record: (render) => recordReads(site.digestOf, render),
    answer: (read) => digestQuery(site, read, site.digestOf),
    sourcesOf: querySources,
    episodeProducts: () => digestEpisodeProducts(site),
  };
}
