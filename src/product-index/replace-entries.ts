import { hash } from 'node:crypto';
import type { LoaderContext } from 'astro/loaders';

/** An entry before the collection's schema has read it. */
export interface ProjectedEntry {
  id: string;
  data: Record<string, unknown>;
  /** The field `html`, made only when the entry is new or has changed: `digestInputs` name all that it is made of. */
  html?: () => string;
  /** Fields that follow from `data` and `html` and take long to find: sought only when the entry is new or has changed. */
  derive?: (html: string) => Record<string, unknown>;
  /** What pages show of the entry beyond `data`: part of the digest. */
  digestInputs?: unknown;
  /** Documents of a product, in the order they are offered, and those that held before. */
  documents?: { current: readonly { href: string }[]; earlier: readonly { href: string }[] };
  /** What the search looks into. */
  searched?: unknown;
}

/**
 * Counted up when a schema in `entries.ts` changes what it makes of the same data, or `html` what it makes of the same
 * text: Astro keeps its store when a file changes that `content.config.ts` only imports.
 */
export const LOADER_VERSION = 6;

/** The data of an entry with its HTML, but without what is derived from both. */
export function dataOf({ data, html }: Pick<ProjectedEntry, 'data' | 'html'>): Record<string, unknown> {
  return html ? { ...data, html: html() } : data;
}

/**
 * Makes the collection hold exactly these entries. Everything is projected and checked before the first change, so
 * that an error anywhere leaves the collection as it was; what is gone is removed last. The digest covers the whole
 * entry, and so everything a page can show of it.
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
    const whole = { ...data, ...(text !== undefined && { html: text }), ...derive?.(text ?? '') };
    staged.push({ id, digest, data: await parseData({ id, data: whole }) });
  }
  const gone = store.keys().filter((id) => !ids.has(id));
  for (const entry of staged) store.set(entry);
  for (const id of gone) store.delete(id);
  logger
    .fork(`loader:${collection}`)
    .info(`${ids.size} entries, ${staged.length} new or changed, ${gone.length} removed`);
}
