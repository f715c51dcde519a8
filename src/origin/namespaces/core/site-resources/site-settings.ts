import { and, eq } from 'drizzle-orm';
import { getSettings, updateSettings } from '#contracts/core/index.ts';
import { invalidParameters } from '#origin/platform/http/transport/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import type { SettingsGroup } from '#origin/platform/settings/serve-settings.ts';
import { SITE_OPTION, presentSiteSettings } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';

const routes = { get: getSettings, update: updateSettings };

export const siteSettings: SettingsGroup<typeof routes> = {
  routes,
  name: SITE_OPTION,
  right: 'manage_options',
  async toStored({ title, description, timezone, default_category: usual }, tx) {
    if (usual !== undefined) await refuseUnknownCategory(tx, usual);
    return {
      ...(title === undefined ? {} : { name: plainText(title) }),
      ...(description === undefined ? {} : { description: plainText(description) }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(usual === undefined ? {} : { default_category: usual }),
    };
  },
  show: presentSiteSettings,
};

async function refuseUnknownCategory(tx: Transaction, id: number): Promise<void> {
  const [found] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, 'category')))
    .limit(1);
  if (!found) throw invalidParameters([{ name: 'default_category', text: 'There is no category under this id.' }]);
}
