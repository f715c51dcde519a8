import { INDEXING, type Indexable } from '#contracts/seo/indexing.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import { indexArchives, indexContent, indexLinks, indexSitePages, indexTerms } from '../records/index-records.ts';
import type { SeoRecord } from '../records/tables.ts';
import { createHash } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { NO_SEO_SETTINGS, parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import { content } from '#origin/platform/store/schema.ts';
import { readObjectMeta } from '../records/object-settings.ts';

type Step = (typeof INDEXING)[keyof typeof INDEXING];
type StepCall = Call<Step['route']>;

/** Serves the routes that build missing records. Writes update records, so that there is rarely anything to do. */
export function serveIndexing(registry: RouteRegistry): void {
  const serve = (step: Step, build: (call: StepCall) => Promise<SeoRecord[]>) =>
    registry.serve(step.route, (call: StepCall) => runStep(call, step, build), { permit: authorize });
  serve(INDEXING.prepare, nothingToBuild);
  serve(INDEXING.terms, ({ context }) => indexTerms(context, INDEXING.terms.batch));
  serve(INDEXING.content, ({ context }) => indexContent(context, INDEXING.content.batch));
  serve(INDEXING.archives, ({ context }) => indexArchives(context));
  serve(INDEXING.general, ({ context }) => indexSitePages(context));
  serve(INDEXING.recordsComplete, nothingToBuild);
  serve(INDEXING.contentLinks, ({ context }) => indexLinks(context, 'post', INDEXING.contentLinks.batch));
  serve(INDEXING.termLinks, ({ context }) => indexLinks(context, 'term', INDEXING.termLinks.batch));
  serve(INDEXING.complete, nothingToBuild);
}

function authorize({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'edit_posts')) throw refuse('rest_forbidden', 'Only users who write posts may build records.');
}

/** Handles steps that only report progress. Nothing is stored. */
const nothingToBuild = () => Promise.resolve([]);

async function runStep(
  call: StepCall,
  { route, batch }: Step,
  build: (call: StepCall) => Promise<SeoRecord[]>,
): Promise<ResultOf<Step['route']>> {
  const records = await build(call).catch((error: unknown) => {
    call.context.log(`SEO records could not be built: ${describeError(error)}`);
    throw call.refuse('seo_error_indexing', 'Records could not be built. See the log of the origin.');
  });
  const hasMore = batch > 0 && records.length >= batch;
  return item({
    objects: await presentRecords(call, records),
    next_url: hasMore ? call.addresses.rest(route.path) : (false as const),
  });
}

/** Version of the record format. */
const VERSION = 2;

/** Converts records and their settings to JSON. */
async function presentRecords(
  { context, addresses }: Pick<AnyCall, 'context' | 'addresses'>,
  records: readonly SeoRecord[],
): Promise<Indexable[]> {
  const { db } = context.store;
  const idsOf = (type: SeoRecord['type']) =>
    records.filter((record) => record.type === type).map((row) => row.objectId);
  const ids = idsOf('post');
  const rows =
    ids.length === 0
      ? []
      : await db.select({ id: content.id, meta: content.meta }).from(content).where(inArray(content.id, ids));
  const meta = {
    post: new Map(rows.map((row) => [row.id, row.meta])),
    term: await readObjectMeta(db, 'term', idsOf('term')),
    user: await readObjectMeta(db, 'user', idsOf('user')),
  };
  return records.map((record) => {
    const metaById =
      record.type === 'post' || record.type === 'term' || record.type === 'user' ? meta[record.type] : undefined;
    const settings = metaById ? parseSettingsMeta(metaById.get(record.objectId) ?? {}) : NO_SEO_SETTINGS;
    return presentRecord(record, settings, addresses.site);
  });
}

function presentRecord(record: SeoRecord, settings: SeoSettings, site: string): Indexable {
  const permalink = record.path === null ? null : site + record.path;
  return {
    id: record.id,
    object_id: record.objectId === 0 ? null : record.objectId,
    object_type: record.type,
    object_sub_type: emptyToNull(record.subType),
    author_id: record.authorId,
    post_parent: record.parentId,
    post_status: record.status,
    blog_id: 1,
    has_ancestors: (record.parentId ?? 0) > 0,
    // Only authors with published posts have records.
    has_public_posts: record.type === 'user' ? true : null,
    language: null,
    region: null,
    version: VERSION,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    object_published_at: record.publishedAt?.toISOString() ?? null,
    object_last_modified: record.modifiedAt?.toISOString() ?? null,
    permalink,
    permalink_hash: permalink && `${permalink.length}:${createHash('md5').update(permalink).digest('hex')}`,
    title: emptyToNull(settings.title),
    description: emptyToNull(settings.description),
    breadcrumb_title: emptyToNull(settings.breadcrumb_title),
    canonical: emptyToNull(settings.canonical),
    is_public: record.isIndexed,
    is_protected: record.isProtected,
    is_cornerstone: record.isCornerstone,
    is_robots_noindex: settings.index === 'default' ? null : settings.index === 'noindex',
    is_robots_nofollow: settings.nofollow || null,
    is_robots_noarchive: settings.noarchive || null,
    is_robots_noimageindex: settings.noimageindex || null,
    is_robots_nosnippet: settings.nosnippet || null,
    primary_focus_keyword: emptyToNull(record.focusKeyphrase),
    primary_focus_keyword_score: record.seoScore || null,
    prominent_words_version: null,
    readability_score: record.readabilityScore,
    inclusive_language_score: settings.inclusive_language_score,
    seo_title_score: record.titleScore,
    meta_description_score: record.descriptionScore,
    open_graph_title: emptyToNull(settings.og_title),
    open_graph_description: emptyToNull(settings.og_description),
    open_graph_image: emptyToNull(settings.og_image),
    open_graph_image_id: settings.og_image_id === 0 ? null : String(settings.og_image_id),
    open_graph_image_source: imageSource(settings.og_image_id, settings.og_image),
    open_graph_image_meta: null,
    twitter_title: emptyToNull(settings.twitter_title),
    twitter_description: emptyToNull(settings.twitter_description),
    twitter_image: emptyToNull(settings.twitter_image),
    twitter_image_id: settings.twitter_image_id === 0 ? null : String(settings.twitter_image_id),
    twitter_image_source: imageSource(settings.twitter_image_id, settings.twitter_image),
    schema_page_type: emptyToNull(settings.page_type),
    schema_article_type: emptyToNull(settings.article_type),
    link_count: record.linkCount,
    incoming_link_count: record.incomingLinkCount,
    number_of_pages: record.pageCount,
    estimated_reading_time_minutes: record.readingMinutes || null,
  };
}

function imageSource(id: number, address: string): string | null {
  return id === 0 && address === '' ? null : 'set-by-user';
}

function emptyToNull(text: string): string | null {
  return text === '' ? null : text;
}
