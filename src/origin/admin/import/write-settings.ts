import { eq } from 'drizzle-orm';
import { IMPORT_COMMANDS, importSettings, type ImportOutcome } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { option } from '#origin/platform/store/schema.ts';
import { digestValue, hasLocalContent, findImported, findLocalId, saveImportedRows } from './imported-rows.ts';
import { removeNulCharacters } from './parse-wire.ts';

/** Imports the site's title, description and time zone unless the site already has content. */
export const writeImportedSettings = importStep(
  IMPORT_COMMANDS.settings,
  async ({ store }, { source, settings: remote }) =>
    writeContent(store.db, async (tx) => {
      const settings = importSettings.parse(removeNulCharacters(remote));
      const [known] = await findImported(tx, source.site, 'settings', [0]);
      const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION)).for('update');
      const before = { ...(stored?.value as object | undefined) };
      const digest = digestValue(settings);
      if (known?.digest === digest) return settingsResult('unchanged');
      if (known && known.ownDigest !== digestValue(pick(before))) return settingsResult('kept', 'were changed here');
      if (!known && (await hasLocalContent(tx, source.site)))
        return settingsResult('kept', 'the site already has content');
      const defaultCategory = settings.default_category;
      const categoryId =
        defaultCategory === undefined ? undefined : await findLocalId(tx, source.site, ['category'], defaultCategory);
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
      await saveImportedRows(tx, [{ ...base, digest, ownDigest: digestValue(pick(after)) }]);
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
