import { max } from 'drizzle-orm';
import { z } from 'zod';
import { languageCode, languageName } from '../../contracts/product/index.ts';
import { productLanguage } from '../store/schema.ts';
import { command } from './command.ts';

const args = z.strictObject({ code: languageCode, name: z.string().min(1).optional() });

/** Puts a language on the list of the product interface, behind the others; or gives one another name. */
export const addLanguage = command(args, async (context, { code, name = languageName(code) }) => {
  const [last] = await context.store.db.select({ position: max(productLanguage.position) }).from(productLanguage);
  await context.store.db
    .insert(productLanguage)
    .values({ code, name, position: (last?.position ?? -1) + 1 })
    .onConflictDoUpdate({ target: productLanguage.code, set: { name } });
  return { message: `${code} (${name}) is on the language list.`, code, name };
});
