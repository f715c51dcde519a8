import {
  digestProductQueries,
  digestQuery,
  isProductQuery,
  productQuerySources,
  querySources,
  recordReads,
} from './tracked-queries.ts';
import { loadSite } from './load-site.ts';

export type ReadRecorder = Awaited<ReturnType<typeof createReadRecorder>>;

/** Creates a recorder for the current site. Exported by the bundle, so that it shares its modules with the pages. */
export async function createReadRecorder() {
  const site = await loadSite();
  return {
    /** Records all reads while a page is rendered. */
    record: <T>(render: () => T) => recordReads(site.digestOf, render),
    /** Returns the current digest of a recorded read. */
    answer: (read: string) => digestQuery(site, read, site.digestOf),
    /** Returns the sources of a recorded read. Undefined if the query doesn't exist any more. */
    sourcesOf: querySources,
    isProductQuery,
    productQuerySources,
    /** Returns the digests of the values of product queries, by `<language>/<gtin>`. */
    productValues: () => digestProductQueries(site, site.digestOf),
  };
}
