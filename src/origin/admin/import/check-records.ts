import { IMPORT_STEPS } from '#contracts/index.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { findImported } from './imported-rows.ts';

/** Tells which records need not be sent, and which of the others were sent before. */
export const checkRecords = importStep(IMPORT_STEPS.check, async ({ store }, { source, kind, records }) => {
  const ids = records.map(({ id }) => id);
  const found = await findImported(store.db, source.site, kind, ids);
  const digests = new Map(found.map(({ sourceId, digest }) => [sourceId, digest]));
  const unchanged = records.filter(({ id, digest }) => digests.get(id) === digest).map(({ id }) => id);
  return { message: `${unchanged.length} of ${records.length} are here.`, unchanged, known: [...digests.keys()] };
});
