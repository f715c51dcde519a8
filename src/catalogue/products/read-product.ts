import { RENDER_CONTEXT } from '../port/render-context.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { integrationMissing } from '../site/integration-missing.ts';

/**
 * All that there is to know of a listed product: lists hold what they show, and its page reads the rest when it is
 * rendered, so that no build holds all records at once.
 * @throws SortimentError SNAPSHOT_CHANGED when the snapshot no longer has it.
 */
export function readProduct(listed: ListedEntry): ProductEntry {
  const host = globalThis[RENDER_CONTEXT];
  if (host?.readProduct) return host.readProduct(listed);
  throw integrationMissing();
}
