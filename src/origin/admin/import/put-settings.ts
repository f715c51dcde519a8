import { eq } from 'drizzle-orm';
import { IMPORT_STEPS, importSettings, type ImportOutcome } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/index.ts';
import { SITE_OPTION } from '#origin/platform/site/index.ts';
import { option } from '#origin/platform/store/schema.ts';
import { digestOf, hasOwnContent, findImported, findOwnId, rememberImported } from './imported-rows.ts';
import { keepable } from './read-wire.ts';

/** Imports the site's title, description and time zone unless the site already has content. */
export const putSettings = importStep(IMPORT_STEPS.settings, async ({ store }, { source, settings: remote }) =>
  writeContent(store.db, async (tx) => {
    const settings = importSettings.parse(keepable(remote));
    const [known] = await findImported(tx, source.site, 'settings', [0]);
    const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION)).for('update');
    const before = { ...(stored?.value as object | undefined) };
    const digest = digestOf(settings);
    if (known?.digest === digest) return settingsResult('unchanged');
    if (known && known.ownDigest !== digestOf(pick(before))) return settingsResult('kept', 'were changed here');
    if (!known && (await hasOwnContent(tx, source.site))) return settingsResult('kept', 'the site already has content');
    const defaultCategory = settings.default_category;
    const categoryId =
      defaultCategory === undefined ? undefined : await findOwnId(tx, source.site, ['category'], defaultCategory);
    const after = {
      ...before,
      name: settings.title,
      description: settings.description,
      ...(settings.timezone !== undefined && { timezone: settings.timezone }),
      ...(categoryId !== undefined && { default_category: categoryId }),
    };
    await tx
      .insert(option)
      .values({ name: SITE_OPTION, value: after })
      .onConflictDoUpdate({ target: option.name, set: { value: after } });
    const base = { source: source.site, kind: 'settings', sourceId: 0, ownId: 0 };
    await rememberImported(tx, [{ ...base, digest, ownDigest: digestOf(pick(after)) }]);
    await announce(tx, { what: 'settings', id: SITE_OPTION, action: 'updated' });
    return settingsResult(known ? 'updated' : 'added');
  }),
);

function settingsResult(outcome: ImportOutcome['outcome'], note?: string) {
  return { message: note ?? `Settings: ${outcome}.`, outcome, note };
}

function pick(site: Record<string, unknown>): unknown {
  const { name, description, timezone, default_category: usual } = site;
  return { name, description, timezone, usual };
}
