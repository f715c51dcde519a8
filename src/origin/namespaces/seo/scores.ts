import { and, count, eq, exists, not, sql, type SQL } from 'drizzle-orm';
import * as routes from '#contracts/seo/scores.ts';
import { failure, item, type ResultOf, type Call, requireUser } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { type ContentKind, CATEGORY } from '#origin/platform/registry/content-kind.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { tableLink } from '#origin/platform/site/editor-links.ts';
import { managerRules, requireRights, hasNoindexSetting, storedScore, storedSetting } from './settings.ts';
import { hasHeads } from './head/find-page.ts';
import { can } from '#origin/platform/http/callers/caller.ts';

/** Score to count: keyphrase or readability. */
interface Measure {
  /** Query parameter that filters the content table by bucket. */
  filter: 'seo_filter' | 'readability_filter';
  bucket: SQL<routes.ScoreBucket>;
  /** Limits the counted content. */
  condition?: SQL;
}

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

const SEO: Measure = {
  filter: 'seo_filter',
  bucket: SEO_BUCKET,
  condition: not(hasNoindexSetting()),
};
const READABILITY: Measure = { filter: 'readability_filter', bucket: READABILITY_BUCKET };

/** Serves the number of texts per score bucket, and the overview of posts by their scores. */
export function serveScores(registry: RouteRegistry): void {
  registry.serve(routes.getStatistics, getScoreStatistics, requireRights('read'));
  registry.serve(routes.getSeoScores, (call) => getScores(call, SEO), { ...managerRules, isKept: false });
  registry.serve(routes.getReadabilityScores, (call) => getScores(call, READABILITY), {
    ...managerRules,
    isKept: false,
  });
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
    const { amount, ids } = counts.get(name) ?? { amount: 0, ids: '' };
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

type Counts = ReadonlyMap<routes.ScoreBucket, { amount: number; ids: string }>;
async function queryScores({ context, query }: ScoresCall, { bucket, condition }: Measure): Promise<Counts> {
  const { db } = context.store;
  const { contentType, term: termId, troubleshooting = false } = query;
  const hasTerm = (id: number) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(contentTerm)
        .where(and(eq(contentTerm.contentId, content.id), eq(contentTerm.termId, id))),
    );
  const ids = sql<string>`string_agg(${content.id}::text, ',' order by ${content.id})`;
  const rows = await db
    .select({ bucket, amount: count(), ids: troubleshooting ? ids : sql<string>`''` })
    .from(content)
    .where(
      and(
        eq(content.type, contentType),
        eq(content.status, 'publish'),
        condition,
        termId === undefined ? undefined : hasTerm(termId),
      ),
    )
    .groupBy(sql`1`);
  return new Map(rows.map((row) => [row.bucket, { amount: row.amount, ids: row.ids }]));
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

async function getScoreStatistics(
  call: Call<typeof routes.getStatistics>,
): Promise<ResultOf<typeof routes.getStatistics>> {
  const { caller, addresses } = call;
  const author = can(caller, 'edit_others_posts') ? undefined : requireUser(caller).id;
  const { total, ...counts } = await countPosts(call, author);
  const filters = { type: 'post', status: 'publish', ...(author === undefined ? {} : { author }) };
  const seo_scores = LABELS.filter(([rank]) => counts[rank] > 0).map(([seo_rank, label]) => {
    const link = tableLink(addresses, { ...filters, seo_filter: seo_rank });
    return { seo_rank, label, count: counts[seo_rank], link };
  });
  return item({ header: formatHeader(total, counts.good), seo_scores });
}

/** Counts posts by rank. A post can be in several ranks, such as "noindex" and "good". */
async function countPosts({ context }: Pick<Call<typeof routes.getStatistics>, 'context'>, author: number | undefined) {
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
