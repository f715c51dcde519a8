import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { recoverFiles } from './file-journal.ts';
import { mediaFiles } from './media-files.ts';

/** What other processes may still be at is younger. */
const OTHERS_MS = 15 * 60_000;

const recovered = new WeakMap<OriginContext, { since: number; done: Promise<void> }>();

/**
 * Removes files that processes left without a row when they died; before a context first writes files, and again
 * once those of others that died since are old enough. Over the embedded store nobody else is at work.
 */
export function recoverMedia(context: OriginContext): Promise<void> {
  const { db, engine } = context.store;
  const isAlone = engine === 'pglite';
  const known = recovered.get(context);
  if (known && (isAlone || Date.now() - known.since < OTHERS_MS)) return known.done;
  const done = recoverFiles(db, mediaFiles(context), isAlone ? 0 : OTHERS_MS).catch((error: unknown) => {
    recovered.delete(context);
    context.log(`Files without a row were not looked for: ${error instanceof Error ? error.message : String(error)}`);
  });
  recovered.set(context, { since: Date.now(), done });
  return done;
}
