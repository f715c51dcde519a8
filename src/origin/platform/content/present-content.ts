import type { z } from 'zod';
import { post, POST_META_KEYS, page, PAGE_META_KEYS, navigationMenu } from '#contracts/core/post.ts';
import { presentTexts } from '#origin/platform/http/present-fields.ts';
import type { SelectedFields, AnyCall } from '#origin/platform/http/transport/call.ts';
import { type ContentRow, getKind, type ContentKind } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { hasBlocks } from '#origin/platform/render/render-blocks.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { replaceSiteUrl, loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { getContentUrl, getUrlTemplate, loadAncestors, loadTerms, type Ancestor, type TermRow } from './content-url.ts';
import { normaliseSlug } from './slugs.ts';
import { and, count, eq, inArray, max } from 'drizzle-orm';
import { listComments } from '#contracts/core/comment-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { getMedia, getType, listMedia } from '#contracts/core/routes.ts';
import { getUser } from '#contracts/core/user-routes.ts';
import { fillPath, type HttpMethod } from '#contracts/index.ts';
import { Memo } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { canDelete, canEdit, type FindParent, isReadableBy } from './content-rights.ts';
import { loadEmbeds } from './embeds/load-embeds.ts';

export function presentPost(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof post>>> {
  const termIds = (taxonomy: string) =>
    (view.terms.get(row.id) ?? []).filter((term) => term.taxonomy === taxonomy).map(({ id }) => id);
  return presentTexts(
    post,
    {
      ...commonFields(row, view),
      sticky: () => row.sticky,
      format: () => (row.format === '' ? 'standard' : row.format),
      meta: () => Object.fromEntries(POST_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      categories: () => termIds('category'),
      tags: () => termIds('post_tag'),
      // Exists on servers with such fields only.
      custom_fields_html: () => undefined,
    },
    view,
  );
}

export function presentPage(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof page>>> {
  return presentTexts(
    page,
    {
      ...commonFields(row, view),
      parent: () => row.parentId,
      menu_order: () => row.menuOrder,
      meta: () => Object.fromEntries(PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      level: () => view.levels?.get(row.id),
    },
    view,
  );
}

export function presentNavigationMenu(
  row: ContentRow,
  view: ContentView,
): Promise<SelectedFields<z.input<typeof navigationMenu>>> {
  return presentTexts(navigationMenu, commonFields(row, view), view);
}

/** Functions for the fields that all content kinds share. */
export function commonFields(row: ContentRow, view: ContentView) {
  const { call, site } = view;
  const isEdit = view.context === 'edit';
  const relocated = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const isProtected = row.password !== '';
  const isUnlocked = !isProtected || view.password === row.password;
  const isOpen = isUnlocked || isEdit;
  // Editors continue with a menu from where it is embedded.
  const hasRaw = isEdit || (view.context === 'embed' && !view.kind.hasPage && isUnlocked);
  const withRaw = (raw: string, rendered: string) => (hasRaw ? { raw, rendered } : { rendered });
  const content = relocated(row.content);
  const excerpt = relocated(row.excerpt);
  return {
    id: () => row.id,
    date: () => wireTime(row.date),
    date_gmt: () => wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    guid: () => {
      const guid = relocated(row.guid);
      return withRaw(guid, guid);
    },
    modified: () => wireTime(row.modified),
    modified_gmt: () => wireTime(row.modifiedGmt),
    password: () => row.password,
    slug: () => row.slug,
    status: () => row.status,
    type: () => row.type,
    link: () => getContentUrl(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    title: () => withRaw(row.title, texturise(row.title)),
    content: async () => ({
      ...withRaw(content, isOpen ? await runTextJob('content', content, view.embeds) : ''),
      protected: isProtected,
      ...(hasRaw ? { block_version: hasBlocks(row.content) ? 1 : 0 } : {}),
    }),
    excerpt: async () => ({
      ...withRaw(excerpt, isOpen ? await runTextJob('excerpt', excerpt, content, view.excerptLength, view.embeds) : ''),
      protected: isProtected,
    }),
    author: () => row.authorId,
    featured_media: () => row.featuredMedia,
    comment_status: () => openOrClosed(row.commentStatus),
    ping_status: () => openOrClosed(row.pingStatus),
    template: () => row.template,
    permalink_template: () =>
      getUrlTemplate(row, { site: call.addresses.site, kinds: call.context.kinds }, view.ancestors),
    generated_slug: () => readableSlug(normaliseSlug(row.title)),
    class_list: () => classNames(row, view),
    _links: () => createRowLinks(row, view),
  };
}

function openOrClosed(stored: string): 'open' | 'closed' {
  return stored === 'open' ? 'open' : 'closed';
}

/** Decodes the octets of a slug. Slugs are never cut inside a character. */
function readableSlug(slug: string): string {
  return decodeURIComponent(slug);
}

/** Converts a stored time into `2026-11-21T10:00:00`. */
export function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}

/** Returns the class names for themes, the same for every reader. */
function classNames(row: ContentRow, view: ContentView): string[] {
  const format = row.format === '' ? 'standard' : row.format;
  const terms = view.terms.get(row.id) ?? [];
  const { hasFormats, isFile } = view.kind;
  return [
    `post-${row.id}`,
    row.type,
    `type-${row.type}`,
    `status-${row.status}`,
    ...(hasFormats ? [`format-${format}`] : []),
    ...(row.password !== '' ? ['post-password-required'] : []),
    ...(row.featuredMedia !== 0 && !isFile ? ['has-post-thumbnail'] : []),
    'hentry',
    ...view.kind.terms.flatMap(({ taxonomy, slugBase }) =>
      terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => `${slugBase}-${slug}`),
    ),
    ...(hasFormats && format !== 'standard' ? [`post_format-post-format-${format}`] : []),
  ];
}

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
  password?: string | undefined;
  /** Number of words of a generated excerpt. */
  excerptLength?: number | undefined;
  ancestors: ReadonlyMap<number, Ancestor>;
  parentOf: FindParent;
  terms: ReadonlyMap<number, readonly TermRow[]>;
  revisions: ReadonlyMap<number, RevisionCount>;
  /** IDs of featured images that the caller may see. */
  featured: ReadonlyMap<number, unknown>;
  /** HTML of embeds by address in the content. */
  embeds: ReadonlyMap<string, string>;
  /** Depths of rows in hierarchical lists. */
  levels?: ReadonlyMap<number, number>;
}

/** Options for the presentation of rows. */
interface ViewOptions {
  context: Context;
  password?: string | undefined;
  excerptLength?: number | undefined;
  levels?: ReadonlyMap<number, number>;
}

/** Converts a row to JSON. */
export type Present<T> = (row: ContentRow, view: ContentView) => Promise<SelectedFields<T>>;

/** Loads the selected related data for a page of rows, with one statement per kind of data. */
export async function loadContentView(
  call: AnyCall,
  kind: ContentKind,
  rows: readonly ContentRow[],
  options: ViewOptions,
): Promise<ContentView> {
  const { fields, requestMemo } = call;
  const { db } = call.context.store;
  const ids = rows.map(({ id }) => id);
  const isSelected = (names: readonly string[]) => names.some((name) => fields.wants(name));
  const hasTerms =
    ids.length > 0 &&
    kind.terms.length > 0 &&
    isSelected([...kind.terms.map(({ parameter }) => parameter), 'class_list']);
  const hasLinks = ids.length > 0 && !kind.isFile && fields.wants('_links');
  const [site, ancestors, terms, revisions, featured] = await Promise.all([
    loadSite(call),
    loadAncestors(db, rows, requestMemo),
    hasTerms ? requestMemo.gather('terms of content', ids, (all) => loadTerms(db, all)) : NONE,
    hasLinks ? requestMemo.gather('revisions of content', ids, (all) => countRevisions(db, all)) : NONE,
    hasLinks ? findVisibleImages(call, rows) : NONE,
  ]);
  const hasContent = !kind.isFile && isSelected(['content', 'excerpt']);
  return {
    call,
    kind,
    rows,
    memo: new Memo(),
    site,
    embeds: hasContent ? await loadEmbeds(call, site, rows) : new Map<string, string>(),
    ancestors,
    parentOf: ({ parentId }) => ancestors.get(parentId),
    terms,
    revisions,
    featured,
    ...options,
  };
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>();

interface RevisionCount {
  count: number;
  newestId: number;
}

/** Counts the revisions and autosaves of rows. */
async function countRevisions(db: Database, ids: readonly number[]): Promise<ReadonlyMap<number, RevisionCount>> {
  const counted = await db
    .select({ id: content.parentId, count: count(), newestId: max(content.id) })
    .from(content)
    .where(and(eq(content.type, 'revision'), inArray(content.parentId, [...ids])))
    .groupBy(content.parentId);
  return new Map(
    counted.map(({ id, count: revisions, newestId }) => [id, { count: revisions, newestId: newestId ?? 0 }]),
  );
}

/** Finds the featured images that the caller may see. */
function findVisibleImages(
  { context, caller, requestMemo }: AnyCall,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<number, unknown>> {
  const ids = rows.flatMap(({ featuredMedia }) => (featuredMedia === 0 ? [] : [featuredMedia]));
  if (ids.length === 0) return Promise.resolve(NONE);
  return requestMemo.gather('featured images', ids, async (all) => {
    const found = await context.store.db
      .select({ id: content.id })
      .from(content)
      .where(and(inArray(content.id, all), eq(content.type, 'attachment'), isReadableBy(caller)));
    return new Map(found.map(({ id }) => [id, true]));
  });
}

export type Links = Record<string, { href: string; [name: string]: unknown }[]>;

/** Creates the `_links` of a row: itself, related rows, and actions available to the caller. */
function createRowLinks(row: ContentRow, view: ContentView): Links {
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
