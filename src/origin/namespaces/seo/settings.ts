import * as routes from '#contracts/seo/settings.ts';
import { canEdit, contentRows } from '#origin/platform/content/content-rights.ts';
import { writeContent, findRow } from '#origin/platform/content/resources/resource.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import { item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { invalidParameters } from '#origin/platform/http/transport/rest-error.ts';
import type { TemplateKind } from '#contracts/seo/templates.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { listTermKinds } from './head/find-page.ts';
import { updateSeoOptions, loadSeoOptions } from './options.ts';
import { and, eq, inArray, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { announceContent } from '#origin/platform/content/writing/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { readOption } from '#origin/platform/store/lock-option.ts';
import { replaceSiteUrl, SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import { seoObjectSettings } from './tables.ts';
import type { Right } from '#origin/platform/registry/rights.ts';

/** Serves the settings of content, terms and users, and the options of the site. */
export function serveSeoSettings(registry: RouteRegistry): void {
  const serveObject = registry.with({ permit: authorizeObject });
  serveObject(routes.getSeoSettings, async (call) =>
    present(call, await readSeoSettings(call.context.store.db, call.context, call.params)),
  );
  serveObject(routes.updateSeoSettings, async (call) => {
    const { context, params, body, caller, refuse } = call;
    const forbidden = Object.entries(body).find(([name, value]) => EDITOR_SETTINGS.has(name) && value !== undefined);
    if (forbidden && !canEditProtectedSettings(caller))
      throw refuse('rest_forbidden', `Only editors may set "${forbidden[0]}".`);
    return present(call, await writeContent(context.store.db, (tx) => writeSeoSettings(tx, context, params, body)));
  });
  const serveManager = registry.with(managerRules);
  serveManager(routes.getSiteOptions, async (call) => item(routes.siteOptions.parse(await loadSeoOptions(call))));
  serveManager(routes.updateSiteOptions, async (call) => {
    const { templates, ...fields } = call.body;
    rejectUnknownKinds(call.context, Object.keys(templates ?? {}));
    const changed = await updateSeoOptions(call, (stored) => ({
      ...fields,
      templates: templates && { ...stored.templates, ...templates },
    }));
    return item(routes.siteOptions.parse(changed));
  });
}

type ObjectCall = AnyCall<'rest_not_found'> & { params: SeoObject };

function present({ params: { type, id }, refuse }: ObjectCall, settings: routes.SeoSettings | undefined) {
  if (!settings) throw refuse('rest_not_found', `There is no "${type}" with the id ${id}.`);
  return item<routes.SeoSettings & SeoObject>({ type, id, ...settings });
}

/** Authorizes callers who can edit the object. A missing object is only reported to callers who can edit its kind. */
async function authorizeObject(call: ObjectCall): Promise<void> {
  const { caller, params, context, refuse } = call;
  const kind = context.kinds.get(params.type);
  const row = kind && (await findRow(call, contentRows(kind), params.id));
  const isEditor = row
    ? canEdit(row, caller)
    : can(caller, kind?.rights.edit ?? (params.type === 'user' ? 'edit_users' : 'manage_categories'));
  const isSelf = params.type === 'user' && caller.user?.id === params.id;
  if (!isEditor && !isSelf) throw refuse('rest_forbidden', 'You are not allowed to edit this object.');
}

/** Template kinds of pages other than content and terms. */
const OTHER_KINDS: readonly TemplateKind[] = ['home', 'author', 'date', 'search', '404'];

/** Rejects templates of unknown kinds, which would never be used: probably a typo. */
function rejectUnknownKinds(context: OriginContext, names: readonly string[]): void {
  const types = [...context.kinds.values()].filter(({ hasPage }) => hasPage).map(({ type }) => type);
  const taxonomies = listTermKinds(context).map(({ taxonomy }) => taxonomy);
  const known = [...types, ...taxonomies, ...types.map((type) => `archive-${type}`), ...OTHER_KINDS];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const text = `Unknown kind of page in templates: "${unknown.join('", "')}". Use ${known.join(', ')}.`;
  throw invalidParameters([{ name: 'templates', code: 'rest_not_in_enum', text }]);
}

/** Something with a head: content type, taxonomy or `user`, and ID. */
export interface SeoObject {
  type: string;
  id: number;
}

type SettingsContext = Pick<OriginContext, 'kinds' | 'publicUrl'>;

const META_PREFIX = '_seo_';

/** Reads the settings of an object; undefined if the object doesn't exist. */
export async function readSeoSettings(db: Pick<Database, 'select'>, context: SettingsContext, object: SeoObject) {
  const meta = await readMeta(db, context, object);
  return meta && relocateSettings(routes.parseSettingsMeta(meta), await readStoredUrl(db), context.publicUrl);
}

/** Replaces the address of the site in settings, for storage or output. */
export function relocateSettings(
  settings: routes.SeoSettings,
  from: string | undefined,
  to: string,
): routes.SeoSettings {
  const move = (name: 'canonical' | 'redirect' | 'og_image' | 'twitter_image') => ({
    [name]: replaceSiteUrl(settings[name], from, to),
  });
  return { ...settings, ...move('canonical'), ...move('redirect'), ...move('og_image'), ...move('twitter_image') };
}

/** Reads the site address that stored content contains. */
export async function readStoredUrl(db: Pick<Database, 'select'>): Promise<string | undefined> {
  const { url } = (await readOption(db, SITE_OPTION)) as { url?: unknown };
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

/** Returns an SQL expression for a stored setting of content; an empty string if not set. */
export function storedSetting(setting: routes.SeoSetting): SQL<string> {
  return sql<string>`coalesce(${content.meta} ->> ${routes.SEO_META_KEYS[setting]}, '')`;
}

/** Returns an SQL expression for a stored score of content; 0 if not analysed. */
export function storedScore(setting: routes.SeoSetting): SQL<number> {
  return sql<number>`coalesce(substring(${content.meta} ->> ${routes.SEO_META_KEYS[setting]} from '^[0-9]{1,3}$')::integer, 0)`;
}

/** Returns an SQL expression that is true if content is set to "noindex". */
export function hasNoindexSetting(): SQL<boolean> {
  return sql<boolean>`${storedSetting('index')} = ${NOINDEX}`;
}
const NOINDEX = routes.toSettingsMeta(routes.seoSettings.parse({ index: 'noindex' }))[routes.SEO_META_KEYS.index];

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
  values: { [K in keyof routes.SeoSettings]?: routes.SeoSettings[K] | undefined },
): Promise<routes.SeoSettings | undefined> {
  const { type, id } = object;
  const isContent = context.kinds.has(type);
  const [row] = isContent ? await tx.select().from(content).where(isContentRow(object)).for('update') : [];
  const isOther = !isContent && (await readMeta(tx, context, object)) !== undefined;
  const before = isOther ? await lockObjectMeta(tx, objectTypeOf(type), id) : row?.meta;
  if (!before) return undefined;
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const storedUrl = await readStoredUrl(tx);
  const previous = relocateSettings(routes.parseSettingsMeta(before), storedUrl, context.publicUrl);
  const settings = routes.seoSettings.parse({ ...previous, ...given });
  const otherMeta = Object.entries(before).filter(([key]) => !key.startsWith(META_PREFIX));
  const meta: Record<string, string> = {
    ...Object.fromEntries(otherMeta),
    ...routes.toSettingsMeta(relocateSettings(settings, context.publicUrl, storedUrl ?? context.publicUrl)),
  };
  if (row) {
    const isScored = given['seo_score'] !== undefined && given['readability_score'] !== undefined;
    const isOutdated = ANALYSED_SETTINGS.some((name) => given[name] !== undefined);
    const analysed = isScored ? row.modifiedGmt : isOutdated ? undefined : before[routes.ANALYSED_KEY];
    if (analysed !== undefined) meta[routes.ANALYSED_KEY] = analysed;
    await tx.update(content).set({ meta }).where(eq(content.id, id));
    const after = { ...row, meta };
    await announceContent(tx, after, after);
    return settings;
  }
  await saveObjectMeta(tx, objectTypeOf(type), id, meta);
  const kind = listTermKinds(context).find(({ taxonomy }) => taxonomy === type);
  await announce(tx, { what: kind?.slugBase ?? objectTypeOf(type), id: String(id), action: 'updated' });
  return settings;
}

/** Reads the stored meta of an object; undefined if the object doesn't exist. */
async function readMeta(db: Pick<Database, 'select'>, { kinds }: SettingsContext, { type, id }: SeoObject) {
  if (kinds.has(type)) {
    const [row] = await db.select({ meta: content.meta }).from(content).where(isContentRow({ type, id }));
    return row?.meta;
  }
  const [found] = await (type === 'user'
    ? db.select({ id: user.id }).from(user).where(eq(user.id, id))
    : db
        .select({ id: term.id })
        .from(term)
        .where(and(eq(term.id, id), eq(term.taxonomy, type))));
  return found && ((await readObjectMeta(db, objectTypeOf(type), [id])).get(id) ?? {});
}

type ObjectType = 'term' | 'user';
const objectTypeOf = (type: string): ObjectType => (type === 'user' ? 'user' : 'term');

const isContentRow = ({ type, id }: SeoObject) => and(eq(content.id, id), eq(content.type, type));
const isMetaOf = (type: ObjectType, id: number) =>
  and(eq(seoObjectSettings.type, type), eq(seoObjectSettings.objectId, id));

/** Reads the stored settings of a term or user and locks them until the transaction ends. */
export async function lockObjectMeta(tx: Transaction, type: ObjectType, id: number): Promise<Record<string, string>> {
  // Create the row before locking it, so that two initial writes wait for each other too.
  await tx.insert(seoObjectSettings).values({ type, objectId: id }).onConflictDoNothing();
  const [row] = await tx.select().from(seoObjectSettings).where(isMetaOf(type, id)).for('update');
  return row?.meta ?? {};
}

/** Saves settings locked by this transaction. */
export async function saveObjectMeta(tx: Transaction, type: ObjectType, id: number, meta: Record<string, string>) {
  await tx.update(seoObjectSettings).set({ meta }).where(isMetaOf(type, id));
}

/** Reads stored settings of terms or users by ID. */
export async function readObjectMeta(db: Pick<Database, 'select'>, type: ObjectType, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, Record<string, string>>();
  const isMatch = and(eq(seoObjectSettings.type, type), inArray(seoObjectSettings.objectId, [...ids]));
  const rows = await db.select().from(seoObjectSettings).where(isMatch);
  return new Map(rows.map(({ objectId, meta }) => [objectId, meta]));
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

/** Creates rules for routes that require one of these rights. */
export function requireRights(...rights: readonly [Right, ...Right[]]): { permit(call: AnyCall): void } {
  return {
    permit({ caller, refuse }) {
      if (rights.some((right) => can(caller, right))) return;
      throw refuse('rest_forbidden', `This requires the right ${rights.join(' or ')}.`);
    },
  };
}

export const managerRules = requireRights('seo_manage_options');
/** Rules of routes for all users who write posts. */
export const writerRules = requireRights('edit_posts');

/** Settings of a page that redirect visitors or search engines. */
export const EDITOR_SETTINGS: ReadonlySet<string> = new Set<routes.SeoSetting>(['index', 'canonical', 'redirect']);

/** True if the caller can change these settings. Authors can't: they affect the addresses of the site. */
export function canEditProtectedSettings(caller: Caller): boolean {
  return can(caller, 'edit_others_posts') || can(caller, 'seo_manage_options');
}
