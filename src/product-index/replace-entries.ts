import { hash } from 'node:crypto';
import type { LoaderContext } from 'astro/loaders';

/** An entry before validation by the collection's schema. */
export interface ProjectedEntry {
  id: string;
  data: Record<string, unknown>;
  /** Creates the field `html`. Called only if the entry is new or changed, so `digestInputs` must cover its inputs. */
  html?: () => string;
  /** Computes fields from `data` and `html`. Called only if the entry is new or changed, because it is slow. */
  derive?: (html: string) => Record<string, unknown>;
  /** Content that pages show in addition to `data`. Part of the digest. */
  digestInputs?: unknown;
  /** Documents of a product in display order, and its earlier ones. */
  documents?: { current: readonly { href: string }[]; earlier: readonly { href: string }[] };
  /** Searchable texts. */
  searched?: unknown;
}

/**
 * Increment it when a schema in `entries.ts` or `html` gives other results for the same input. Astro keeps its store if
 * a file changes that `content.config.ts` only imports.
 */
export const LOADER_VERSION = 6;

/** Returns the data of an entry with its HTML, without derived fields. */
export function entryData({ data, html }: Pick<ProjectedEntry, 'data' | 'html'>): Record<string, unknown> {
  return html ? { ...data, html: html() } : data;
}

/**
 * Replaces the entries of a collection. All entries are projected and validated before the first write, so that an
 * error leaves the collection unchanged. Removed entries are deleted last. The digest covers everything that a page can
 * show of the entry.
 */
export async function replaceEntries(
  { store, parseData, logger, collection }: LoaderContext,
  projected: Iterable<ProjectedEntry>,
): Promise<void> {
  const staged: { id: string; data: Record<string, unknown>; digest: string }[] = [];
  const ids = new Set<string>();
  for (const { id, data, digestInputs, html, derive } of projected) {
    ids.add(id);
    const digest = hash('sha1', `${LOADER_VERSION} ${JSON.stringify([data, digestInputs])}`, 'base64url');
    if (store.get(id)?.digest === digest) continue;
    const text = html?.();
    const fullData = { ...data, ...(text !== undefined && { html: text }), ...derive?.(text ?? '') };
    staged.push({ id, digest, data: await parseData({ id, data: fullData }) });
  }
  const removed = store.keys().filter((id) => !ids.has(id));
  for (const entry of staged) store.set(entry);
  for (const id of removed) store.delete(id);
  logger
    .fork(`loader:${collection}`)
    .info(`${ids.size} entries, ${staged.length} new or changed, ${removed.length} removed`);
}
