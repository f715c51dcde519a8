import { and, eq } from 'drizzle-orm';
import type { updateSettings as declaration } from '#contracts/core/index.ts';
import { announce } from '#origin/platform/events/index.ts';
import { invalidParameters, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { answerSettings } from '#origin/platform/site/load-site.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/index.ts';
import { option, term } from '#origin/platform/store/schema.ts';

/** Changes what was sent of the settings, and answers all of them. */
export async function updateSettings(call: Call<typeof declaration>): Promise<Answer> {
  const { title, description, timezone, default_category: usual } = call.body;
  const sent = {
    ...(title === undefined ? {} : { name: plainText(title) }),
    ...(description === undefined ? {} : { description: plainText(description) }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(usual === undefined ? {} : { default_category: usual }),
  };
  if (Object.keys(sent).length > 0) {
    await retryTransaction(call.context.store.db, async (tx) => {
      if (usual !== undefined) await refuseUnknownCategory(tx, usual);
      const [stored] = await tx.select().from(option).where(eq(option.name, 'site')).for('update');
      const value = { ...(stored?.value as object | undefined), ...sent };
      await tx
        .insert(option)
        .values({ name: 'site', value })
        .onConflictDoUpdate({ target: option.name, set: { value } });
      await announce(tx, { what: 'settings', id: 'site', action: 'updated' });
    });
    call.requestMemo.forget('site');
  }
  return answerSettings(call);
}

async function refuseUnknownCategory(tx: Transaction, id: number): Promise<void> {
  const [found] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, 'category')))
    .limit(1);
  if (!found) throw invalidParameters([{ name: 'default_category', text: 'There is no category under this id.' }]);
}
