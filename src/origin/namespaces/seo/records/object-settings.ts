import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import {
  metaOfSettings,
  SEO_META_KEYS,
  seoSettings,
  settingsOfMeta,
  type SeoSetting,
  type SeoSettings,
} from '#contracts/seo/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announceContent } from '#origin/platform/content/writing/present-written.ts';
import { announce } from '#origin/platform/events/index.ts';
import { followChanges, type FollowedSite } from '#origin/platform/registry/follow-changes.ts';
import { relocate, SITE_COLUMN, SITE_OPTION } from '#origin/platform/site/index.ts';
import type { Database, Transaction } from '#origin/platform/store/index.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { seoObjectSettings, seoRecord } from './tables.ts';

/** Something that has a head: its type of content, its taxonomy or `user`, and its id. */
export interface SeoObject {
  type: string;
  id: number;
}

const META_PREFIX = '_seo_';

/** What editors have set for one thing; undefined when there is no such thing. */
export async function readSeoSettings(
  db: Pick<Database, 'select'>,
  context: Pick<OriginContext, 'kinds' | 'publicUrl'>,
  object: SeoObject,
): Promise<SeoSettings | undefined> {
  const { id, type } = object;
  if (context.kinds.has(type)) {
    const isIt = and(eq(content.id, id), eq(content.type, type));
    const [row] = await db.select({ meta: content.meta, site: SITE_COLUMN }).from(content).where(isIt);
    return row && moveAddresses(settingsOfMeta(row.meta), storedUrlOf(row.site), context.publicUrl);
  }
  const meta = await readMeta(db, context, object);
  return meta && moveAddresses(settingsOfMeta(meta), await readStoredUrl(db), context.publicUrl);
}

/** Settings with addresses of the site that begin with another one, as its texts are stored and shown. */
export function moveAddresses(settings: SeoSettings, from: string | undefined, to: string): SeoSettings {
  const { canonical, redirect, og_image, twitter_image } = settings;
  const moved = (address: string) => relocate(address, from, to);
  return {
    ...settings,
    canonical: moved(canonical),
    redirect: moved(redirect),
    og_image: moved(og_image),
    twitter_image: moved(twitter_image),
  };
}

/** The address that the site had when its content was stored. */
export async function readStoredUrl(db: Pick<Database, 'select'>): Promise<string | undefined> {
  const [stored] = await db.select().from(option).where(eq(option.name, SITE_OPTION));
  return storedUrlOf(stored?.value);
}

export function storedUrlOf(site: unknown): string | undefined {
  const { url } = (site ?? {}) as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

/** A setting of content as it is stored, for statements over many rows; empty where nobody has set it. */
export function storedSetting(setting: SeoSetting): SQL<string> {
  return sql<string>`coalesce(${content.meta} ->> ${SEO_META_KEYS[setting]}, '')`;
}

/** Whether the editors of content keep it out of search engines, in such statements. */
export function isSetNoindex(): SQL<boolean> {
  return sql<boolean>`${storedSetting('index')} = ${NOINDEX}`;
}
const NOINDEX = metaOfSettings(seoSettings.parse({ index: 'noindex' }))[SEO_META_KEYS.index];

/**
 * Changes what is given of the settings of one thing; records, links and scores follow in the same transaction. Call it
 * under `writeContent`, with values that `seoSettings` has read.
 *
 * @returns all settings as they are then; undefined when there is no such thing
 */
export async function changeSeoSettings(
  tx: Transaction,
  context: FollowedSite,
  object: SeoObject,
  values: { [K in keyof SeoSettings]?: SeoSettings[K] | undefined },
): Promise<SeoSettings | undefined> {
  const before = await holdMeta(tx, context, object);
  if (!before) return undefined;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const storedUrl = await readStoredUrl(tx);
  const known = moveAddresses(settingsOfMeta(before), storedUrl, context.publicUrl);
  const settings = seoSettings.parse({ ...known, ...given });
  const others = Object.entries(before).filter(([key]) => !key.startsWith(META_PREFIX));
  const meta = {
    ...Object.fromEntries(others),
    ...metaOfSettings(moveAddresses(settings, context.publicUrl, storedUrl ?? context.publicUrl)),
  };
  if (context.kinds.has(object.type)) await writeContentMeta(tx, context, object.id, meta, given);
  else await writeObjectMeta(tx, context, object, meta);
  return settings;
}

const ANALYSED_SETTINGS = ['focus_keyphrase', 'title', 'description', 'is_cornerstone'] as const;

/** Scores that come with what they are of are those of today; others are due when what they are of changes. */
async function writeContentMeta(
  tx: Transaction,
  context: FollowedSite,
  id: number,
  meta: Record<string, string>,
  given: Record<string, unknown>,
): Promise<void> {
  const isIt = and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, id));
  const [before] = await tx.select({ isDue: seoRecord.isAnalysisDue }).from(seoRecord).where(isIt);
  const [row] = await tx.update(content).set({ meta }).where(eq(content.id, id)).returning();
  // It may be due from here on: who follows rows does not know what of them has changed.
  if (row) await announceContent(tx, context, row, row);
  const isScored = given['seo_score'] !== undefined && given['readability_score'] !== undefined;
  if (!isScored && ANALYSED_SETTINGS.some((name) => given[name] !== undefined)) return;
  const isAnalysisDue = !isScored && before?.isDue === true;
  await tx.update(seoRecord).set({ isAnalysisDue }).where(isIt);
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
  const of = type === 'user' ? 'user' : 'term';
  const [found] =
    of === 'user'
      ? await db.select({ id: user.id }).from(user).where(eq(user.id, id))
      : await db
          .select({ id: term.id })
          .from(term)
          .where(and(eq(term.id, id), eq(term.taxonomy, type)));
  return found && ((await readObjectMeta(db, of, [id])).get(id) ?? {});
}

/** The same, locked: other transactions that write it wait until this one ends. */
async function holdMeta(
  tx: Transaction,
  { kinds }: Pick<OriginContext, 'kinds'>,
  object: SeoObject,
): Promise<Record<string, string> | undefined> {
  const { type, id } = object;
  if (kinds.has(type)) {
    await tx.select({ id: content.id }).from(content).where(eq(content.id, id)).for('update');
    return readMeta(tx, { kinds }, object);
  }
  return (await readMeta(tx, { kinds }, object)) && holdObjectMeta(tx, type === 'user' ? 'user' : 'term', id);
}

/** What is stored of a term or a user besides its row, locked until the transaction ends. */
export async function holdObjectMeta(
  tx: Transaction,
  type: 'term' | 'user',
  id: number,
): Promise<Record<string, string>> {
  // The row is there before it is locked, so that two first writes wait for each other too.
  await tx.insert(seoObjectSettings).values({ type, objectId: id }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(seoObjectSettings)
    .where(and(eq(seoObjectSettings.type, type), eq(seoObjectSettings.objectId, id)))
    .for('update');
  return row?.meta ?? {};
}

/** Stored settings of terms or users, by their ids. */
export async function readObjectMeta(
  db: Pick<Database, 'select'>,
  type: 'term' | 'user',
  ids: readonly number[],
): Promise<ReadonlyMap<number, Record<string, string>>> {
  return (await readObjectMetas(db, { term: [], user: [], [type]: ids }))[type];
}

/** The same of both: one statement. */
export async function readObjectMetas(
  db: Pick<Database, 'select'>,
  ids: Readonly<Record<'term' | 'user', readonly number[]>>,
): Promise<Record<'term' | 'user', ReadonlyMap<number, Record<string, string>>>> {
  const wanted = (['term', 'user'] as const)
    .filter((type) => ids[type].length > 0)
    .map((type) => and(eq(seoObjectSettings.type, type), inArray(seoObjectSettings.objectId, [...ids[type]])));
  const rows =
    wanted.length === 0
      ? []
      : await db
          .select()
          .from(seoObjectSettings)
          .where(or(...wanted));
  const of = (type: 'term' | 'user') =>
    new Map(rows.filter((row) => row.type === type).map(({ objectId, meta }) => [objectId, meta]));
  return { term: of('term'), user: of('user') };
}

async function writeObjectMeta(
  tx: Transaction,
  context: FollowedSite,
  { type, id }: SeoObject,
  meta: Record<string, string>,
): Promise<void> {
  const of = type === 'user' ? 'user' : 'term';
  await tx
    .update(seoObjectSettings)
    .set({ meta })
    .where(and(eq(seoObjectSettings.type, of), eq(seoObjectSettings.objectId, id)));
  const taxonomy = [...context.kinds.values()].flatMap(({ terms }) => terms).find((kind) => kind.taxonomy === type);
  await announce(tx, { what: taxonomy?.slugBase ?? of, id: String(id), action: 'updated' });
  await followChanges(tx, context, of === 'user' ? { users: [id] } : { terms: [id] });
}
