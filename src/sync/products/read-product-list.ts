import { listProductPages, type ProductClient } from '#client/product-client.ts';
import { PRODUCT_HINTS, upstreamError } from '#client/upstream-error.ts';
import { readUpstreamProfile } from '#client/probe/upstream-profile.ts';
import { PRODUCT_ADDITIONS } from '#contracts/product/routes.ts';
import type { SyncRun } from '../sync-run.ts';

/** The interface's list of all its records. */
export interface ProductList {
  /** Time of the last change; undefined if the record is not listed, which alone proves nothing. */
  modifiedOf(gtin: string, language: string): string | undefined;
  /** Number of listed records. */
  size: number;
  hasExport: boolean;
}

/**
 * Reads the interface's list of records, if it has one. The documented interface has none. After any failure, records
 * are requested one by one.
 * @throws SortimentError UPSTREAM_UNAUTHORISED, because further requests would fail, too.
 */
export async function readProductList(
  run: SyncRun,
  client: ProductClient,
  root: string,
): Promise<ProductList | undefined> {
  // `npm run doctor` has recorded that there is no list.
  if (readUpstreamProfile(run.settings.home, root)?.additions.list === false) return undefined;
  const index = await client.index();
  if (index.kind === 'unauthorised') throw upstreamError(index, PRODUCT_HINTS);
  const names = index.kind === 'ok' ? Object.keys(index.value) : [];
  const [listName, exportName] = Object.keys(PRODUCT_ADDITIONS);
  if (!listName || !names.includes(listName)) return undefined;
  const modified = new Map<string, string>();
  for await (const answer of listProductPages(client)) {
    if (answer.kind === 'unauthorised') throw upstreamError(answer, PRODUCT_HINTS);
    if (answer.kind !== 'ok') {
      run.logger.debug(`The list of records can't be used (${answer.detail}): records are requested one by one.`);
      return undefined;
    }
    const { rows, isLast } = answer.value;
    const size = modified.size;
    for (const row of rows) modified.set(`${row.gtin} ${row.language}`, row.modified);
    if (!isLast && modified.size === size) {
      run.logger.debug("The list of records can't be used (a page has nothing new and isn't the last).");
      return undefined;
    }
  }
  return {
    modifiedOf: (gtin, language) => modified.get(`${gtin} ${language}`),
    size: modified.size,
    hasExport: exportName !== undefined && names.includes(exportName),
  };
}
