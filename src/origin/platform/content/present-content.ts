import type { z } from 'zod';
import { post, POST_META_KEYS, page, PAGE_META_KEYS, navigationMenu } from '#contracts/core/post.ts';
import { presentFields, type SelectedFields, type AnyCall } from '#origin/platform/http/transport/call.ts';
import { type ContentRow, getKind, type ContentKind } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { hasBlocks } from '#origin/platform/render/render-blocks.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { replaceSiteUrl, loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { getContentUrl, getUrlTemplate, loadAncestors, type Ancestor, type TermRow } from './content-url.ts';
import { normaliseSlug } from './slugs.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { listComments } from '#contracts/core/comment-routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { listMedia, listTypes } from '#contracts/core/routes.ts';
import { listUsers } from '#contracts/core/user-routes.ts';
import type { HttpMethod } from '#contracts/index.ts';
import { Memo } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { runForIds } from '#origin/platform/store/store.ts';
import { canDelete, canEdit, canRead, type FindParent, type RightsRow } from './content-rights.ts';
import { loadEmbeds } from './embeds.ts';

export async function presentPost(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof post>>> {
  const terms = view.related.get(row.id)?.terms ?? [];
  return presentFields(
    post,
    {
      ...(await commonFields(row, view)),
      sticky: row.sticky,
      format: row.format === '' ? 'standard' : row.format,
      meta: Object.fromEntries(POST_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      categories: terms.flatMap(({ id, taxonomy }) => (taxonomy === 'category' ? [id] : [])),
      tags: terms.flatMap(({ id, taxonomy }) => (taxonomy === 'post_tag' ? [id] : [])),
      // Exists on servers with such fields only.
      custom_fields_html: undefined,
    },
    view,
  );
}

export async function presentPage(row: ContentRow, view: ContentView): Promise<SelectedFields<z.input<typeof page>>> {
  return presentFields(
    page,
    {
      ...(await commonFields(row, view)),
      parent: row.parentId,
      menu_order: row.menuOrder,
      meta: Object.fromEntries(PAGE_META_KEYS.map((key) => [key, row.meta[key] ?? ''])),
      level: view.levels?.get(row.id),
    },
    view,
  );
}

export const presentNavigationMenu: Present<z.input<typeof navigationMenu>> = async (row, view) =>
  presentFields(navigationMenu, await commonFields(row, view), view);

/** Returns the fields that all content kinds share. Texts are rendered only if they are selected. */
export async function commonFields(row: ContentRow, view: ContentView) {
  const { call, site, embeds } = view;
  const { wants } = call.fields;
  const base = { site: call.addresses.site, kinds: call.context.kinds };
  const isEdit = view.context === 'edit';
  const isProtected = row.password !== '';
  const isUnlocked = !isProtected || view.password === row.password;
  const isOpen = isUnlocked || isEdit;
  // Editors continue with a menu from where it is embedded.
  const hasRaw = isEdit || (view.context === 'embed' && !view.kind.hasPage && isUnlocked);
  const withRaw = (raw: string, rendered: string) => (hasRaw ? { raw, rendered } : { rendered });
  const guid = replaceSiteUrl(row.guid, site.url, base.site);
  const content = replaceSiteUrl(row.content, site.url, base.site);
  const excerpt = replaceSiteUrl(row.excerpt, site.url, base.site);
  const hasTexts = isOpen && !view.kind.isFile;
  // Embedded pages have an excerpt only.
  const hasContent = hasTexts && wants('content') && (view.context !== 'embed' || !view.kind.hasPage);
  const html = hasContent ? await runTextJob('content', content, embeds) : '';
  const summary =
    hasTexts && wants('excerpt') ? await runTextJob('excerpt', excerpt, content, view.excerptLength, embeds) : '';
  return {
    ...revisedFields(row, site),
    guid: withRaw(guid, guid),
    password: row.password,
    status: row.status,
    type: row.type,
    link: getContentUrl(row, base, view.ancestors),
    title: withRaw(row.title, texturise(row.title)),
    content: {
      ...withRaw(content, html),
      protected: isProtected,
      ...(hasRaw ? { block_version: hasBlocks(row.content) ? 1 : 0 } : {}),
    },
    excerpt: { ...withRaw(excerpt, summary), protected: isProtected },
    featured_media: row.featuredMedia,
    comment_status: row.commentStatus === 'open' ? ('open' as const) : ('closed' as const),
    ping_status: row.pingStatus === 'open' ? ('open' as const) : ('closed' as const),
    template: row.template,
    permalink_template: isEdit ? getUrlTemplate(row, base, view.ancestors) : '',
    // Slugs are never cut inside a character.
    generated_slug: isEdit ? decodeURIComponent(normaliseSlug(row.title)) : '',
    class_list: classNames(row, view),
    _links: () => createRowLinks(row, view),
  };
}

/** Returns the fields that rows share with their revisions. */
export function revisedFields(row: ContentRow, { timezone }: Site) {
  return {
    id: row.id,
    author: row.authorId,
    date: wireTime(row.date),
    date_gmt: wireTime(row.dateGmt ?? toUtc(row.date, timezone)),
    modified: wireTime(row.modified),
    modified_gmt: wireTime(row.modifiedGmt),
    slug: row.slug,
  };
}

/** Converts a stored time into `2026-11-21T10:00:00`. */
export function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}

/** Returns the class names for themes, the same for every reader. */
function classNames(row: ContentRow, view: ContentView): string[] {
  const format = row.format === '' ? 'standard' : row.format;
  const terms = view.related.get(row.id)?.terms ?? [];
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
  related: ReadonlyMap<number, RelatedData>;
  /** HTML of embeds by address in the content. */
  embeds: ReadonlyMap<string, string>;
  /** Depths of rows in hierarchical lists. */
  levels?: ReadonlyMap<number, number>;
}

export type Present<T> = (row: ContentRow, view: ContentView) => Promise<SelectedFields<T>>;

/** Loads the selected related data for a page of rows, with one statement per kind of data. */
export async function loadContentView(
  call: AnyCall,
  kind: ContentKind,
  rows: readonly ContentRow[],
  options: Pick<ContentView, 'context' | 'password' | 'excerptLength' | 'levels'>,
): Promise<ContentView> {
  const { requestMemo, addresses } = call;
  const { wants } = call.fields;
  const { db } = call.context.store;
  const ids = rows.map(({ id }) => id);
  const hasTerms =
    ids.length > 0 &&
    kind.terms.length > 0 &&
    (wants('class_list') || kind.terms.some(({ parameter }) => wants(parameter)));
  const hasLinks = ids.length > 0 && !kind.isFile && wants('_links');
  const [site, ancestors, related] = await Promise.all([
    loadSite(call),
    loadAncestors(db, rows, requestMemo),
    hasTerms || hasLinks ? requestMemo.gather('related to content', ids, (all) => loadRelated(call, all)) : NONE,
  ]);
  const isShown = !kind.isFile && (wants('content') || wants('excerpt'));
  const linking = isShown
    ? rows.filter((row) => row.content.includes(addresses.site) || row.content.includes(site.url ?? addresses.site))
    : [];
  return {
    call,
    kind,
    rows,
    memo: new Memo(),
    site,
    embeds: linking.length > 0 ? await loadEmbeds(call, site, linking) : new Map<string, string>(),
    ancestors,
    parentOf: ({ parentId }) => ancestors.get(parentId),
    related,
    ...options,
  };
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>();

/** Data of a row in other rows. */
interface RelatedData {
  /** Ordered by name. */
  terms: readonly Pick<TermRow, 'id' | 'taxonomy' | 'slug' | 'name'>[];
  /** Number of revisions and autosaves, and the newest one. */
  revisions: readonly [count: number, newestId: number | null];
  /** True if the caller may see the featured image. */
  hasImage: boolean;
}

/** Loads the related data of rows in one statement, and a further one if images belong to other rows. */
async function loadRelated(
  { context, caller, requestMemo }: AnyCall,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RelatedData>> {
  const { db } = context.store;
  const found = await runForIds(db, 'related to content', ids, (list, name) => {
    const shown = alias(content, 'shown');
    const fields = sql`'id', ${term.id}, 'taxonomy', ${term.taxonomy}, 'slug', ${term.slug}, 'name', ${term.name}`;
    const terms = db
      .select({ terms: sql`json_agg(json_build_object(${fields}))` })
      .from(contentTerm)
      .innerJoin(term, eq(term.id, contentTerm.termId))
      .where(eq(contentTerm.contentId, shown.id));
    const revisions = db
      .select({ revisions: sql`json_build_array(count(*), max(${content.id}))` })
      .from(content)
      .where(and(eq(content.type, 'revision'), eq(content.parentId, shown.id)));
    const image = alias(content, 'image');
    const { id, type, status, statusBeforeTrash, authorId, parentId } = image;
    return db
      .select({
        id: shown.id,
        terms: sql<RelatedData['terms'][number][] | null>`(${terms})`,
        revisions: sql<RelatedData['revisions']>`(${revisions})`,
        image: { id, type, status, statusBeforeTrash, authorId, parentId },
      })
      .from(shown)
      .leftJoin(image, and(eq(id, shown.featuredMedia), eq(type, 'attachment')))
      .where(inArray(shown.id, list))
      .prepare(name);
  });
  const images = found.flatMap(({ image }) => image ?? []);
  const parents = await loadAncestors(db, images, requestMemo);
  const isVisible = (image: RightsRow) => canRead(image, caller, ({ parentId }) => parents.get(parentId));
  return new Map(
    found.map(({ id, terms, revisions, image }) => [
      id,
      {
        terms: (terms ?? []).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id),
        revisions,
        hasImage: image !== null && isVisible(image),
      },
    ]),
  );
}

export type Links = Record<string, { href: string; [name: string]: unknown }[]>;

/** Creates the `_links` of a row: itself, related rows, and actions available to the caller. */
function createRowLinks(row: ContentRow, view: ContentView): Links {
  const { call, kind } = view;
  const { rest: href } = call.addresses;
  const collection = href(kind.base);
  const self = `${collection}/${row.id}`;
  const [revisions, newestId] = view.related.get(row.id)?.revisions ?? [0, null];
  const revisionsHref = `${self}/revisions`;
  const isMediaItem = kind.isFile;
  const parent = view.ancestors.get(row.parentId);
  const links: Links = {
    self: [{ href: self, targetHints: { allow: allowedMethods(row, view) } }],
    collection: [{ href: collection }],
    about: [{ href: href(`${listTypes.path}/${kind.type}`) }],
  };
  if (kind.hasPage) {
    links['author'] = [{ embeddable: true, href: href(`${listUsers.path}/${row.authorId}`) }];
    links['replies'] = [{ embeddable: true, href: `${href(listComments.path)}?post=${row.id}` }];
  }
  if (!isMediaItem) links['version-history'] = [{ count: revisions, href: revisionsHref }];
  if (newestId !== null) links['predecessor-version'] = [{ id: newestId, href: `${revisionsHref}/${newestId}` }];
  if (kind.isHierarchical && row.parentId !== 0)
    links['up'] = [{ embeddable: true, href: `${collection}/${row.parentId}` }];
  if (view.related.get(row.id)?.hasImage)
    links['wp:featuredmedia'] = [{ embeddable: true, href: href(`${listMedia.path}/${row.featuredMedia}`) }];
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
