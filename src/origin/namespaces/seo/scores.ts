import { and, count, eq, not, sql, type SQL } from 'drizzle-orm';
import * as routes from '#contracts/seo/scores.ts';
import { hasTerm } from '#origin/platform/content/find-content.ts';
import {
  failure,
  item,
  type AnyCall,
  type ResultOf,
  type Call,
  requireUser,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { type ContentKind, CATEGORY } from '#origin/platform/registry/content-kind.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { tableLink } from '#origin/platform/site/editor-links.ts';
import { managerRules, requireRights, hasNoindexSetting, storedScore, storedSetting } from './settings.ts';
import { hasHeads } from './head/find-page.ts';
import { can } from '#origin/platform/http/callers/caller.ts';

const bucketOf = (score: SQL, unscored: SQL) => sql<routes.ScoreBucket>`case
  when ${score} >= ${sql.raw(String(routes.SCORE_BOUNDS.good[0]))} then 'good'
  when ${score} >= ${sql.raw(String(routes.SCORE_BOUNDS.ok[0]))} then 'ok'
  when ${score} >= ${sql.raw(String(routes.SCORE_BOUNDS.bad[0]))} then 'bad'
  else ${unscored} end`;

export const SEO_BUCKET = bucketOf(storedScore('seo_score'), sql`'notAnalyzed'`);
/** SQL expression for the readability bucket. An analysed text with score 0 is bad. */
export const READABILITY_BUCKET = bucketOf(
  storedScore('readability_score'),
  sql`case when ${storedScore('reading_minutes')} > 0 then 'bad' else 'notAnalyzed' end`,
);

/** Buckets to count, with the condition on counted content. `filter` selects a bucket in the content table. */
const SEO = { filter: 'seo_filter', bucket: SEO_BUCKET, condition: not(hasNoindexSetting()) };
const READABILITY = { filter: 'readability_filter', bucket: READABILITY_BUCKET, condition: undefined };
type Measure = typeof SEO | typeof READABILITY;

/** Serves the number of texts per score bucket, and the overview of posts by their scores. */
export function serveScores(registry: RouteRegistry): void {
  registry.with(requireRights('read'))(routes.getStatistics, async (call) => {
    const { caller, addresses } = call;
    const author = can(caller, 'edit_others_posts') ? undefined : requireUser(caller).id;
    const { total, ...counts } = await countPosts(call, author);
    const filters = { type: 'post', status: 'publish', ...(author === undefined ? {} : { author }) };
    const seo_scores = LABELS.filter(([rank]) => counts[rank] > 0).map(([seo_rank, label]) => {
      const link = tableLink(addresses, { ...filters, seo_filter: seo_rank });
      return { seo_rank, label, count: counts[seo_rank], link };
    });
    return item({ header: formatHeader(total, counts.good), seo_scores });
  });
  const serve = registry.with({ ...managerRules, isKept: false });
  serve(routes.getSeoScores, (call) => getScores(call, SEO));
  serve(routes.getReadabilityScores, (call) => getScores(call, READABILITY));
}

type ScoresCall = Pick<Call<typeof routes.getSeoScores>, 'context' | 'query' | 'addresses'>;

async function getScores(call: ScoresCall, measure: Measure): Promise<ResultOf<typeof routes.getSeoScores>> {
  const { context, query, addresses } = call;
  const { contentType, troubleshooting = false, term: termId } = query;
  const problem = findProblem(call, context.kinds.get(contentType));
  if (problem !== undefined) return failure(400, { error: problem });
  const category = termId === undefined ? undefined : await findCategorySlug(call, termId);
  if (termId !== undefined && category === undefined)
    return failure(400, { error: `There is no category with the id ${termId}.` });

  const start = performance.now();
  const counts = await queryScores(call, measure);
  const scores = routes.SCORE_BUCKETS.map((name) => {
    const { amount, ids } = counts.find(({ bucket }) => bucket === name) ?? { amount: 0, ids: '' };
    const view = tableLink(addresses, {
      type: contentType,
      status: 'publish',
      [measure.filter]: name === 'notAnalyzed' ? 'na' : name,
      ...(category === undefined ? {} : { category }),
    });
    return { name, amount, links: { view }, ...(troubleshooting && amount > 0 ? { ids } : {}) };
  });
  return item({ scores, queryTime: (performance.now() - start) / 1000, cacheUsed: false });
}

/** Validates the filters: only categories are supported, for content types that have them. */
function findProblem({ query }: ScoresCall, kind: ContentKind | undefined): string | undefined {
  const { contentType, taxonomy, term: termId } = query;
  if (!hasHeads(kind)) return `Unknown content type "${contentType}".`;
  if (taxonomy !== '' && (taxonomy !== CATEGORY.taxonomy || !kind.terms.includes(CATEGORY)))
    return `"${contentType}" can't be filtered by "${taxonomy}".`;
  if (taxonomy !== '' && termId === undefined) return 'Missing term: send the term of the taxonomy.';
  if (taxonomy === '' && termId !== undefined) return 'Missing taxonomy: send the taxonomy of the term.';
  return undefined;
}

async function findCategorySlug({ context }: ScoresCall, id: number): Promise<string | undefined> {
  const [found] = await context.store.db
    .select({ slug: term.slug })
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, CATEGORY.taxonomy)));
  return found?.slug;
}

function queryScores({ context, query }: ScoresCall, { bucket, condition }: Measure) {
  const { db } = context.store;
  const { contentType, term: termId, troubleshooting = false } = query;
  const ids = sql<string>`string_agg(${content.id}::text, ',' order by ${content.id})`;
  return db
    .select({ bucket, amount: count(), ids: troubleshooting ? ids : sql<string>`''` })
    .from(content)
    .where(
      and(
        eq(content.type, contentType),
        eq(content.status, 'publish'),
        condition,
        termId === undefined ? undefined : hasTerm(db, [termId]),
      ),
    )
    .groupBy(sql`1`);
}

/** Minimum share of good posts for a positive headline. */
const GOOD_SHARE = 0.66;

const LABELS = [
  ['bad', 'Needs improvement'],
  ['ok', 'OK'],
  ['good', 'Good'],
  ['na', 'No focus keyphrase'],
  ['noindex', 'Not indexed'],
] as const;

/** Counts posts by rank. A post can be in several ranks, such as "noindex" and "good". */
async function countPosts({ context }: AnyCall, author: number | undefined) {
  const [row] = await context.store.db
    .select({
      total: count(),
      bad: countIf(eq(SEO_BUCKET, 'bad')),
      ok: countIf(eq(SEO_BUCKET, 'ok')),
      good: countIf(eq(SEO_BUCKET, 'good')),
      na: countIf(sql`${storedSetting('focus_keyphrase')} = ''`),
      noindex: countIf(hasNoindexSetting()),
    })
    .from(content)
    .where(
      and(
        eq(content.type, 'post'),
        eq(content.status, 'publish'),
        author === undefined ? undefined : eq(content.authorId, author),
      ),
    );
  return row ?? { total: 0, bad: 0, ok: 0, good: 0, na: 0, noindex: 0 };
}

function countIf(condition: SQL): SQL<number> {
  return sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
}

function formatHeader(total: number, good: number): string {
  if (total === 0) return 'There are no published posts yet.';
  if (good / total > GOOD_SHARE) return 'Most published posts have a good SEO score.';
  return 'Some published posts need a better SEO score. Start with those.';
}
