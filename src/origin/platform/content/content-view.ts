import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '#contracts/core/field.ts';
import { Memo } from '#origin/platform/context/origin-context.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { type ContentKind, type ContentRow, getKind } from '#origin/platform/registry/content-kind.ts';
import { isSiteLoaded, cacheSite, loadSite, SITE_COLUMN, type Site } from '#origin/platform/site/load-site.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { canRead, type FindParent, type RightsRow, canDelete, canEdit } from './content-rights.ts';
import { loadEmbeds } from './embeds/load-embeds.ts';
import { ancestorsById, ancestorsColumn, loadAncestors, type Ancestor, type TermRow } from './content-url.ts';
import { getMedia, getType, getUser, listMedia } from '#contracts/core/routes.ts';
import { listComments } from '#contracts/core/comment-routes.ts';
import { fillPath, type HttpMethod } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';

/** Context for presenting rows, with their related data. */
export interface ContentView {
  call: AnyCall;
  kind: ContentKind;
  /** All rows of the response. */
  rows: readonly ContentRow[];
  /** Cache for data that a kind loads for all rows at once. */
  memo: Memo;
  context: Context;
  site: Site;
  /** Password sent by the caller. */
  password: string | undefined;
  /** Number of words of a generated excerpt. */
  excerptLength: number | undefined;
  ancestors: ReadonlyMap<number, Ancestor>;
  parentOf: FindParent;
  terms: ReadonlyMap<number, readonly TermRow[]>;
  revisions: ReadonlyMap<number, RevisionCount>;
  /** IDs of featured images that the caller may see. */
  featured: ReadonlySet<number>;
  /** HTML of embeds by address in the content. */
  embeds: ReadonlyMap<string, string>;
  /** Depths of rows in hierarchical lists. */
  levels?: ReadonlyMap<number, number>;
}

/** Options for the presentation of rows. */
export interface ViewOptions {
  context: Context;
  password?: string | undefined;
  excerptLength?: number | undefined;
  levels?: ReadonlyMap<number, number>;
  /** Ancestors, if already loaded. */
  ancestors?: ReadonlyMap<number, Ancestor>;
}

/** Loads the selected related data for a page of rows, with one statement per kind of data. */
export async function loadContentView(
  call: AnyCall,
  kind: ContentKind,
  rows: readonly ContentRow[],
  options: ViewOptions,
): Promise<ContentView> {
  const { db } = call.context.store;
  const { fields } = call;
  const ids = rows.map(({ id }) => id);
  const parts = getRelatedParts(call, kind);
  const [related, ancestors] = await Promise.all([
    parts.terms || parts.links ? loadRelated(call, ids, parts) : new Map<number, Related>(),
    options.ancestors ?? loadAncestors(db, rows, call.requestMemo),
  ]);
  const site = await loadSite(call);
  const readable = rows
    .flatMap(({ id }) => related.get(id)?.featured ?? [])
    .filter(({ row, above }) => canRead(row, call.caller, ({ parentId }) => above.get(parentId)))
    .map(({ row }) => row);
  const hasContent = !kind.isFile && (fields.wants('content') || fields.wants('excerpt'));
  return {
    call,
    kind,
    rows,
    memo: new Memo(),
    site,
    embeds: hasContent ? await loadEmbeds(call, site, rows) : new Map<string, string>(),
    ancestors,
    parentOf: ({ parentId }) => ancestors.get(parentId),
    terms: new Map([...related].map(([id, { terms }]) => [id, terms])),
    revisions: new Map([...related].map(([id, { revisions }]) => [id, revisions])),
    featured: new Set(readable.map(({ id }) => id)),
    context: options.context,
    password: options.password,
    excerptLength: options.excerptLength,
    ...(options.levels ? { levels: options.levels } : {}),
  };
}

interface RevisionCount {
  count: number;
  newestId: number;
}

/** Related data of a row. */
interface Related {
  terms: readonly TermRow[];
  revisions: RevisionCount;
  /** Featured image with the rows that determine its visibility. */
  featured: { row: RightsRow; above: ReadonlyMap<number, Ancestor> } | undefined;
}

/** Related data to load, and whether to load the site settings with it. */
export interface RelatedParts {
  terms: boolean;
  links: boolean;
  site: boolean;
}

export const NO_RELATED_PARTS: RelatedParts = { terms: false, links: false, site: false };

export function getRelatedParts(
  { fields, requestMemo }: Pick<AnyCall, 'fields' | 'requestMemo'>,
  { terms, isFile }: ContentKind,
): RelatedParts {
  const hasTerms = [...terms.map(({ parameter }) => parameter), 'class_list'].some((name) => fields.wants(name));
  return {
    terms: terms.length > 0 && hasTerms,
    links: !isFile && fields.wants('_links'),
    site: !isSiteLoaded({ requestMemo }),
  };
}

/**
 * Loads the terms of rows ordered by name, number and latest of their revisions (including autosaves), and featured
 * images. Uses one statement, which also loads the site settings if needed.
 */
async function loadRelated(
  { context, requestMemo }: AnyCall,
  ids: readonly number[],
  parts: RelatedParts,
): Promise<ReadonlyMap<number, Related>> {
  if (ids.length === 0) return new Map();
  const cached = await Promise.all(ids.map((id) => requestMemo.known<Related>(relatedKey(id, parts))));
  if (!cached.includes(undefined)) return new Map(ids.flatMap((id, n) => (cached[n] ? [[id, cached[n]]] : [])));
  return requestMemo.gather(`around ${parts.terms} ${parts.links}`, ids, async (batch) => {
    const found = await context.store.db
      .select({ id: content.id, ...relatedColumns(parts) })
      .from(content)
      .leftJoin(featuredImage, isFeatured(parts))
      .where(inArray(content.id, batch));
    const [first] = found;
    if (parts.site && first) cacheSite({ requestMemo }, first.site);
    return new Map(found.map((entry) => [entry.id, toRelated(entry)]));
  });
}

/** Caches the related data that was loaded together with a row. */
export function cacheRelated(
  requestMemo: Memo,
  id: number,
  parts: RelatedParts,
  found: Parameters<typeof toRelated>[0] & { site: unknown },
): void {
  if (parts.site) cacheSite({ requestMemo }, found.site);
  if (parts.terms || parts.links) requestMemo.keep(relatedKey(id, parts), toRelated(found));
}

/** Caches the related data of a new row, which has no revisions yet. */
export function cacheRelatedOfNew(
  call: Pick<AnyCall, 'fields' | 'requestMemo'>,
  kind: ContentKind,
  { id, featuredMedia }: Pick<ContentRow, 'id' | 'featuredMedia'>,
  terms: readonly TermRow[],
): void {
  if (featuredMedia !== 0) return;
  const found = { terms: [...terms], count: 0, newestId: 0, featured: null, aboveFeatured: null };
  call.requestMemo.keep(relatedKey(id, getRelatedParts(call, kind)), toRelated(found));
}

function relatedKey(id: number, { terms, links }: RelatedParts): string {
  return `around ${terms} ${links} ${id}`;
}

interface RelatedColumns {
  terms: TermRow[] | null;
  count: number | null;
  newestId: number | null;
  featured: RightsRow | null;
  aboveFeatured: Ancestor[] | null;
}

function toRelated({ terms, count, newestId, featured, aboveFeatured }: RelatedColumns): Related {
  return {
    terms: (terms ?? []).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id),
    revisions: { count: count ?? 0, newestId: newestId ?? 0 },
    featured: featured ? { row: featured, above: ancestorsById(aboveFeatured) } : undefined,
  };
}

/** Columns with related data, for a statement that joins `picture` by `isFeatured`. */
export function relatedColumns({ terms, links, site }: RelatedParts) {
  const none = sql`null`;
  return {
    site: site ? SITE_COLUMN : sql<unknown>`null`,
    terms: sql<TermRow[] | null>`${terms ? TERMS : none}`,
    count: sql<number | null>`${links ? sql`(select count(*) from ${REVISIONS})` : none}`.mapWith(Number),
    newestId: sql<number | null>`${links ? sql`(select max(r.id) from ${REVISIONS})` : none}`.mapWith(Number),
    featured: {
      id: featuredImage.id,
      type: featuredImage.type,
      status: featuredImage.status,
      statusBeforeTrash: featuredImage.statusBeforeTrash,
      authorId: featuredImage.authorId,
      parentId: featuredImage.parentId,
    },
    aboveFeatured: ancestorsColumn(sql`coalesce(${featuredImage.parentId}, 0)`),
  };
}

export function isFeatured({ links }: RelatedParts): SQL | undefined {
  return and(links ? undefined : sql`false`, eq(featuredImage.id, content.featuredMedia), isPicture);
}

export const featuredImage = alias(content, 'picture');
const isPicture = eq(featuredImage.type, 'attachment');
const REVISIONS = sql`${content} r where r.type = 'revision' and r.parent_id = ${content.id}`;
/** Aggregates term rows as JSON. @param alias alias of the table in the statement */
export function termsAsJson(alias: string): SQL {
  const t = sql.raw(alias);
  return sql`json_agg(json_build_object('id', ${t}.id, 'taxonomy', ${t}.taxonomy, 'name', ${t}.name, 'slug', ${t}.slug,
    'description', ${t}.description, 'parentId', ${t}.parent_id))`;
}
const TERMS = sql`(
  select ${termsAsJson('t')} from ${contentTerm} ct join ${term} t on t.id = ct.term_id where ct.content_id = ${content.id}
)`;

export type Links = Record<string, { href: string; [name: string]: unknown }[]>;

/** Creates the `_links` of a row: itself, related rows, and actions available to the caller. */
export function createRowLinks(row: ContentRow, view: ContentView): Links {
  const { call, kind } = view;
  const href = (path: string) => call.addresses.rest(path);
  const collection = href(kind.base);
  const self = `${collection}/${row.id}`;
  const revisions = view.revisions.get(row.id) ?? { count: 0, newestId: 0 };
  const revisionsHref = `${self}/revisions`;
  const isMediaItem = kind.isFile;
  const parent = view.ancestors.get(row.parentId);
  const links: Links = {
    self: [{ href: self, targetHints: { allow: allowedMethods(row, view) } }],
    collection: [{ href: collection }],
    about: [{ href: href(fillPath(getType.path, { type: kind.type })) }],
  };
  if (kind.hasPage) {
    links['author'] = [{ embeddable: true, href: href(fillPath(getUser.path, { id: row.authorId })) }];
    links['replies'] = [{ embeddable: true, href: `${href(listComments.path)}?post=${row.id}` }];
  }
  if (!isMediaItem) links['version-history'] = [{ count: revisions.count, href: revisionsHref }];
  if (revisions.count > 0) {
    const { newestId } = revisions;
    links['predecessor-version'] = [{ id: newestId, href: `${revisionsHref}/${newestId}` }];
  }
  if (kind.isHierarchical && row.parentId !== 0)
    links['up'] = [{ embeddable: true, href: `${collection}/${row.parentId}` }];
  if (view.featured.has(row.featuredMedia))
    links['wp:featuredmedia'] = [{ embeddable: true, href: href(fillPath(getMedia.path, { id: row.featuredMedia })) }];
  if (!isMediaItem) links['wp:attachment'] = [{ href: `${href(listMedia.path)}?parent=${row.id}` }];
  if (kind.terms.length > 0) {
    links['wp:term'] = kind.terms.map(({ taxonomy, base }) => ({
      taxonomy,
      embeddable: true,
      href: `${href(base)}?post=${row.id}`,
    }));
  }
  if (isMediaItem && parent) {
    const target = href(`${getKind(parent, call.context.kinds).base}/${parent.id}`);
    links['wp:attached-to'] = [{ embeddable: true, post_type: parent.type, id: parent.id, href: target }];
  }
  for (const action of view.context === 'edit' ? actions(view) : []) links[`wp:action-${action}`] = [{ href: self }];
  return addCuries(links);
}

/** Declares the prefix of unregistered relations. */
export function addCuries(links: Links): Links {
  if (!Object.keys(links).some((relation) => relation.startsWith('wp:'))) return links;
  return { ...links, curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }] };
}

/** Returns the methods of the row that the caller may use. */
export function allowedMethods(
  row: ContentRow,
  { call, kind, parentOf }: Pick<ContentView, 'call' | 'kind' | 'parentOf'>,
): HttpMethod[] {
  const isEditable = canEdit(row, call.caller, parentOf);
  const isDeletable = canDelete(row, call.caller, parentOf);
  return call
    .methodsOn(`${kind.base}/<id>`)
    .filter((method) => method === 'GET' || (method === 'DELETE' ? isDeletable : isEditable));
}

/** Lists actions for the editor's user interface. */
function actions({ call: { caller }, kind }: ContentView): string[] {
  const canPublish = can(caller, kind.rights.publish);
  const canEditOthers = can(caller, kind.rights.editOthers);
  const available: readonly (readonly [string, boolean])[] = [
    ['publish', !kind.isFile && canPublish],
    ['unfiltered-html', can(caller, 'unfiltered_html')],
    ['sticky', kind.canStick && canEditOthers && canPublish],
    ['assign-author', kind.hasPage && canEditOthers],
    ...kind.terms.flatMap(({ parameter, mayAdd }) => [
      [`create-${parameter}`, can(caller, mayAdd)] as const,
      [`assign-${parameter}`, can(caller, 'edit_posts')] as const,
    ]),
  ];
  return available.filter(([, isAvailable]) => isAvailable).map(([name]) => name);
}
