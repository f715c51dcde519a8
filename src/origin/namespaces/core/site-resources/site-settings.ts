import { and, eq } from 'drizzle-orm';
import { getSettings, updateSettings } from '#contracts/core/site-resources.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import type { SettingsGroup } from '#origin/platform/settings/serve-settings.ts';
import { SITE_OPTION, presentSiteSettings } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { term } from '#origin/platform/store/schema.ts';

const routes = { get: getSettings, update: updateSettings };

export const siteSettings: SettingsGroup<typeof routes> = {
  routes,
  name: SITE_OPTION,
  right: 'manage_options',
  async toStored({ title, description, timezone, default_category: defaultCategory }, tx) {
    if (defaultCategory !== undefined) await requireCategory(tx, defaultCategory);
    return {
      ...(title === undefined ? {} : { name: plainText(title) }),
      ...(description === undefined ? {} : { description: plainText(description) }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(defaultCategory === undefined ? {} : { default_category: defaultCategory }),
    };
  },
  show: presentSiteSettings,
};

async function requireCategory(tx: Transaction, id: number): Promise<void> {
  const [found] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, 'category')))
    .limit(1);
  if (!found) throw invalidParameters([{ name: 'default_category', text: 'Invalid category ID.' }]);
}
