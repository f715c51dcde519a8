import { z } from 'zod';
import { importKind, importRecord, importSource } from '#contracts/index.ts';
import { command } from '#origin/admin/management/command.ts';
import { findImported } from './imported-rows.ts';

const args = z.strictObject({
  source: importSource,
  kind: importKind,
  records: z.array(importRecord.pick({ id: true, digest: true })),
});

/** Tells which records need not be sent, and which of the others were sent before. */
export const checkRecords = command(args, async ({ store }, { source, kind, records }) => {
  const ids = records.map(({ id }) => id);
  const found = await findImported(store.db, source.site, kind, ids);
  const digests = new Map(found.map(({ sourceId, digest }) => [sourceId, digest]));
  const unchanged = records.filter(({ id, digest }) => digests.get(id) === digest).map(({ id }) => id);
  return { message: `${unchanged.length} of ${records.length} are here.`, unchanged, known: [...digests.keys()] };
});
