import type { z } from 'zod';
import type { ContentRoutes } from '#contracts/core/routes.ts';
import type { Context } from '#contracts/core/field.ts';
import type { postAutosave } from '#contracts/core/revision.ts';
import { presentTexts, type AsyncFieldGetters } from '#origin/platform/http/present-fields.ts';
import {
  collection,
  type ResultOf,
  type Call,
  item,
  type AnyCall,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { presentRows } from '#origin/platform/http/transport/bounded-body.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { parseSearch } from '#origin/platform/search/search-condition.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { rejectInvalidOrder } from '../list-content.ts';
import { findContent } from '../find-content.ts';
import { loadRevision, type RevisionKind } from './load-revision.ts';

type ListCall = Call<ContentRoutes['listRevisions']>;

/** Lists all revisions of a row, or one page of them. */
export async function listContentRevisions(
  call: ListCall,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['listRevisions']>> {
  const { query, params, context } = call;
  rejectInvalidOrder(call, query);
  const { page, per_page: perPage } = query;
  const skippedRows = query.offset === undefined ? undefined : Math.abs(query.offset);
  const window =
    perPage === undefined
      ? { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
      : { limit: perPage, offset: skippedRows ?? (page - 1) * perPage };
  const filter = {
    type: 'revision',
    viewer: { caller: call.caller, as: 'reader' },
    statuses: ['inherit'],
    parents: [params.parent],
    ids: query.include,
    notIds: query.exclude,
    search: query.search === undefined ? undefined : parseSearch(query.search),
  } as const;
  const order = {
    by: query.orderby,
    direction: query.order,
    ties: query.orderby === 'date' ? query.order : 'asc',
  } as const;
  const { rows, total } = await findContent(context.store.db, filter, order, window);
  rejectBeyondEnd(call, total, { page, perPage, skipped: skippedRows });
  const site = await loadSite(call);
  const shown = await presentRows(rows, (row) => presentRevision(row, { call, kind, context: query.context, site }));
  return collection(shown, total, { page, perPage: perPage ?? Math.max(total, 1) });
}

function rejectBeyondEnd(
  { refuse }: ListCall,
  total: number,
  { page, perPage, skipped }: { page: number; perPage: number | undefined; skipped: number | undefined },
): void {
  if (total === 0) return;
  if (perPage !== undefined && skipped !== undefined && skipped >= total)
    throw refuse('rest_revision_invalid_offset_number', 'The offset exceeds the number of revisions.');
  if (page > Math.ceil(total / (perPage ?? total)))
    throw refuse('rest_revision_invalid_page_number', 'The page number exceeds the number of pages.');
}

/** Gets one revision of the row in the path. */
export async function getContentRevision(
  call: Call<ContentRoutes['getRevision']>,
  kind: RevisionKind,
): Promise<ResultOf<ContentRoutes['getRevision']>> {
  const { params, query } = call;
  const row = await loadRevision(call, params.id);
  if (row.parentId !== params.parent)
    throw call.refuse(
      'rest_revision_parent_id_mismatch',
      `The revision does not belong to the item with the ID ${params.parent}.`,
    );
  return revisionResult(
    call,
    row,
    await presentRevision(row, { call, kind, context: query.context, site: await loadSite(call) }),
  );
}

/** Result with a revision or autosave. If its parent is selected, `_links` are included. */
export function revisionResult(
  call: AnyCall,
  row: ContentRow,
  shown: PresentedRevision,
): ResultOf<ContentRoutes['getAutosave']> {
  const result: ResultOf<ContentRoutes['getAutosave']> = item(shown);
  return row.parentId === 0 || !call.fields.wants('parent') ? result : { ...result, keepsLinks: true };
}

export type PresentedRevision = SelectedFields<z.input<RevisionKind['routes']['getAutosave']['response']>>;

interface RevisionView {
  call: AnyCall;
  kind: RevisionKind;
  context: Context;
  site: Site;
  /** Preview address of an autosave. */
  previewLink?: string;
}

/** Presents a revision, an autosave, or a draft that was saved in place. */
export async function presentRevision(row: ContentRow, view: RevisionView): Promise<PresentedRevision> {
  const { call, kind, site } = view;
  const relocated = (text: string) => replaceSiteUrl(text, site.url, call.addresses.site);
  const withRaw = (raw: string, rendered: string) => (view.context === 'edit' ? { raw, rendered } : { rendered });
  const guid = `${call.addresses.site}/?p=${row.id}`;
  const excerpt = relocated(row.excerpt);
  const content = relocated(row.content);
  const fields = {
    author: () => row.authorId,
    date: () => wireTime(row.date),
    date_gmt: () => wireTime(row.dateGmt ?? toUtc(row.date, site.timezone)),
    id: () => row.id,
    modified: () => wireTime(row.modified),
    modified_gmt: () => wireTime(row.modifiedGmt),
    parent: () => row.parentId,
    slug: () => row.slug,
    guid: () => withRaw(guid, guid),
    title: () => withRaw(row.title, texturise(row.title)),
    content: async () => withRaw(content, await runTextJob('content', content)),
    // Generated excerpts are not shown.
    excerpt: async () => withRaw(excerpt, excerpt.trim() === '' ? '' : await runTextJob('paragraphs', excerpt)),
    meta: () => Object.fromEntries(kind.metaKeys.map((key) => [key, row.meta[key] ?? ''])),
    preview_link: () => view.previewLink,
    _links: () =>
      row.parentId === 0 ? undefined : { parent: [{ href: call.addresses.rest(`${kind.base}/${row.parentId}`) }] },
    // Each kind has some of these fields.
  } satisfies AsyncFieldGetters<z.input<typeof postAutosave>>;
  const shown = await presentTexts(kind.routes.getAutosave.response, fields, view);
  const links = call.fields.wants('parent') ? fields._links() : undefined;
  return links ? { ...shown, _links: links } : shown;
}

function wireTime(stored: string): string {
  return stored.slice(0, 19).replace(' ', 'T');
}
