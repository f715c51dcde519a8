import { eq, max } from 'drizzle-orm';
import { z } from 'zod';
import { languageCode, languageName } from '#contracts/product/index.ts';
import { productLanguage } from '#origin/platform/store/schema.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { command } from './command.ts';

const args = z.strictObject({ code: languageCode, name: z.string().min(1).optional() });

/** Adds a language at the end of the product interface's list, or renames an existing one. */
export const addLanguage = command(args, async (context, { code, name = languageName(code) }) => {
  await retryTransaction(context.store.db, async (tx) => {
    const [known] = await tx.select().from(productLanguage).where(eq(productLanguage.code, code));
    if (known?.name === name) return;
    const [last] = await tx.select({ position: max(productLanguage.position) }).from(productLanguage);
    await tx
      .insert(productLanguage)
      .values({ code, name, position: (last?.position ?? -1) + 1 })
      .onConflictDoUpdate({ target: productLanguage.code, set: { name } });
    await announce(tx, { what: 'language', id: code, action: known ? 'updated' : 'created' });
  });
  return { message: `${code} (${name}) is on the language list.`, code, name };
});
