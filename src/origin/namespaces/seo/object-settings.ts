import { and, eq, inArray, notInArray, or, sql, type SQL } from 'drizzle-orm';
import {
  toSettingsMeta,
  ANALYSED_KEY,
  SEO_META_KEYS,
  seoSettings,
  parseSettingsMeta,
  type SeoSetting,
  type SeoSettings,
} from '#contracts/seo/settings.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announceContent } from '#origin/platform/content/writing/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { replaceSiteUrl, SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { seoObjectSettings } from './tables.ts';

/** Something with a head: content type, taxonomy or `user`, and ID. */
export interface SeoObject {
  type: string;
  id: number;
}

type SettingsContext = Pick<OriginContext, 'kinds' | 'publicUrl'>;

const META_PREFIX = '_seo_';

/** Reads the settings of an object; undefined if the object doesn't exist. */
export async function readSeoSettings(
  db: Pick<Database, 'select'>,
  context: SettingsContext,
  object: SeoObject,
): Promise<SeoSettings | undefined> {
  const meta = await readMeta(db, context, object);
  return meta && relocateSettings(parseSettingsMeta(meta), await readStoredUrl(db), context.publicUrl);
}

/** Replaces the address of the site in settings, for storage or output. */
export function relocateSettings(settings: SeoSettings, from: string | undefined, to: string): SeoSettings {
  const { canonical, redirect, og_image, twitter_image } = settings;
  const move = (address: string) => replaceSiteUrl(address, from, to);
  return {
    ...settings,
    canonical: move(canonical),
    redirect: move(redirect),
    og_image: move(og_image),
    twitter_image: move(twitter_image),
  };
}

/** Reads the site address that stored content contains. */
export async function readStoredUrl(db: Pick<Database, 'select'>): Promise<string | undefined> {
  const [stored] = await db.select().from(option).where(eq(option.name, SITE_OPTION));
  const { url } = (stored?.value ?? {}) as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

/** Returns an SQL expression for a stored setting of content; an empty string if not set. */
export function storedSetting(setting: SeoSetting): SQL<string> {
  return sql<string>`coalesce(${content.meta} ->> ${SEO_META_KEYS[setting]}, '')`;
}

/** Returns an SQL expression for a stored score of content; 0 if not analysed. */
export function storedScore(setting: SeoSetting): SQL<number> {
  return sql<number>`coalesce(substring(${content.meta} ->> ${SEO_META_KEYS[setting]} from '^[0-9]{1,3}$')::integer, 0)`;
}

/** Returns an SQL expression that is true if content is set to "noindex". */
export function hasNoindexSetting(): SQL<boolean> {
  return sql<boolean>`${storedSetting('index')} = ${NOINDEX}`;
}
const NOINDEX = toSettingsMeta(seoSettings.parse({ index: 'noindex' }))[SEO_META_KEYS.index];

const ANALYSED_SETTINGS = ['focus_keyphrase', 'title', 'description', 'is_cornerstone'] as const;

/**
 * Changes the given settings of an object. Call it inside `writeContent`, with values validated by `seoSettings`. Scores
 * sent along are current; otherwise a changed analysed setting makes an analysis due.
 *
 * @returns all settings after the change; undefined if the object doesn't exist
 */
export async function writeSeoSettings(
  tx: Transaction,
  context: SettingsContext,
  object: SeoObject,
  values: { [K in keyof SeoSettings]?: SeoSettings[K] | undefined },
): Promise<SeoSettings | undefined> {
  const before = await lockMeta(tx, context, object);
  if (!before) return undefined;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const storedUrl = await readStoredUrl(tx);
  const previous = relocateSettings(parseSettingsMeta(before), storedUrl, context.publicUrl);
  const settings = seoSettings.parse({ ...previous, ...given });
  const otherMeta = Object.entries(before).filter(([key]) => !key.startsWith(META_PREFIX));
  const meta: Record<string, string> = {
    ...Object.fromEntries(otherMeta),
    ...toSettingsMeta(relocateSettings(settings, context.publicUrl, storedUrl ?? context.publicUrl)),
  };
  if (context.kinds.has(object.type)) {
    const isScored = given['seo_score'] !== undefined && given['readability_score'] !== undefined;
    const isOutdated = ANALYSED_SETTINGS.some((name) => given[name] !== undefined);
    const [stored] = await tx.select({ time: content.modifiedGmt }).from(content).where(eq(content.id, object.id));
    const analysed = isScored ? stored?.time : isOutdated ? undefined : before[ANALYSED_KEY];
    if (analysed !== undefined) meta[ANALYSED_KEY] = analysed;
    const [row] = await tx.update(content).set({ meta }).where(eq(content.id, object.id)).returning();
    if (row) await announceContent(tx, row, row);
  } else await writeObjectMeta(tx, context, object, meta);
  return settings;
}

async function readMeta(
  db: Pick<Database, 'select'>,
  { kinds }: Pick<OriginContext, 'kinds'>,
  { type, id }: SeoObject,
): Promise<Record<string, string> | undefined> {
  if (kinds.has(type)) {
    const [row] = await db
      .select({ meta: content.meta })
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, type)));
    return row?.meta;
  }
  const objectType = type === 'user' ? 'user' : 'term';
  const [found] =
    objectType === 'user'
      ? await db.select({ id: user.id }).from(user).where(eq(user.id, id))
      : await db
          .select({ id: term.id })
          .from(term)
          .where(and(eq(term.id, id), eq(term.taxonomy, type)));
  return found && ((await readObjectMeta(db, objectType, [id])).get(id) ?? {});
}

/** Reads the meta of an object and locks it until the transaction ends. */
async function lockMeta(
  tx: Transaction,
  { kinds }: Pick<OriginContext, 'kinds'>,
  object: SeoObject,
): Promise<Record<string, string> | undefined> {
  const { type, id } = object;
  if (kinds.has(type)) {
    await tx.select({ id: content.id }).from(content).where(eq(content.id, id)).for('update');
    return readMeta(tx, { kinds }, object);
  }
  return (await readMeta(tx, { kinds }, object)) && lockObjectMeta(tx, type === 'user' ? 'user' : 'term', id);
}

/** Reads the stored settings of a term or user and locks them until the transaction ends. */
export async function lockObjectMeta(
  tx: Transaction,
  type: 'term' | 'user',
  id: number,
): Promise<Record<string, string>> {
  // Create the row before locking it, so that two initial writes wait for each other too.
  await tx.insert(seoObjectSettings).values({ type, objectId: id }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(seoObjectSettings)
    .where(and(eq(seoObjectSettings.type, type), eq(seoObjectSettings.objectId, id)))
    .for('update');
  return row?.meta ?? {};
}

/** Reads stored settings of terms or users by ID. */
export async function readObjectMeta(
  db: Pick<Database, 'select'>,
  type: 'term' | 'user',
  ids: readonly number[],
): Promise<ReadonlyMap<number, Record<string, string>>> {
  return (await readTermAndUserMeta(db, { term: [], user: [], [type]: ids }))[type];
}

/** Reads stored settings of terms and users by ID, in one statement. */
export async function readTermAndUserMeta(
  db: Pick<Database, 'select'>,
  ids: Readonly<Record<'term' | 'user', readonly number[]>>,
): Promise<Record<'term' | 'user', ReadonlyMap<number, Record<string, string>>>> {
  const conditions = (['term', 'user'] as const)
    .filter((type) => ids[type].length > 0)
    .map((type) => and(eq(seoObjectSettings.type, type), inArray(seoObjectSettings.objectId, [...ids[type]])));
  const rows =
    conditions.length === 0
      ? []
      : await db
          .select()
          .from(seoObjectSettings)
          .where(or(...conditions));
  const metaByType = (type: 'term' | 'user') =>
    new Map(rows.filter((row) => row.type === type).map(({ objectId, meta }) => [objectId, meta]));
  return { term: metaByType('term'), user: metaByType('user') };
}

async function writeObjectMeta(
  tx: Transaction,
  context: Pick<OriginContext, 'kinds'>,
  { type, id }: SeoObject,
  meta: Record<string, string>,
): Promise<void> {
  const objectType = type === 'user' ? 'user' : 'term';
  await tx
    .update(seoObjectSettings)
    .set({ meta })
    .where(and(eq(seoObjectSettings.type, objectType), eq(seoObjectSettings.objectId, id)));
  const taxonomy = [...context.kinds.values()].flatMap(({ terms }) => terms).find((kind) => kind.taxonomy === type);
  await announce(tx, { what: taxonomy?.slugBase ?? objectType, id: String(id), action: 'updated' });
}

/** Deletes the settings of terms and users that no longer exist. */
export async function deleteOrphanedSettings(db: Database): Promise<void> {
  const { type, objectId } = seoObjectSettings;
  const isOrphaned = or(
    and(eq(type, 'term'), notInArray(objectId, db.select({ id: term.id }).from(term))),
    and(eq(type, 'user'), notInArray(objectId, db.select({ id: user.id }).from(user))),
  );
  // Even a deletion without effect counts as a change of the store.
  if ((await db.$count(seoObjectSettings, isOrphaned)) === 0) return;
  await retryTransaction(db, (tx) => tx.delete(seoObjectSettings).where(isOrphaned));
}
