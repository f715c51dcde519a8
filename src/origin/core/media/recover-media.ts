import type { OriginContext } from '../../origin-context.ts';
import { recoverFiles } from './file-journal.ts';
import { mediaFiles } from './media-files.ts';

/** What other processes may still be at is younger. */
const OTHERS_MS = 15 * 60_000;

const recovered = new WeakMap<OriginContext, Promise<void>>();

/**
 * Removes files that processes left without a row when they died; once for a context, before it writes files. Over
 * the embedded store nobody else is at work.
 */
export function recoverMedia(context: OriginContext): Promise<void> {
  const known = recovered.get(context);
  if (known) return known;
  const { db, engine } = context.store;
  const done = recoverFiles(db, mediaFiles(context), engine === 'pglite' ? 0 : OTHERS_MS).catch((error: unknown) => {
    recovered.delete(context);
    context.log(`Files without a row were not looked for: ${error instanceof Error ? error.message : String(error)}`);
  });
  recovered.set(context, done);
  return done;
}
