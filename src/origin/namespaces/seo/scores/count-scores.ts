import { and, count, eq, exists, not, sql, type SQL } from 'drizzle-orm';
import {
  getReadabilityScores,
  getSeoScores,
  SCORE_BOUNDS,
  SCORE_BUCKETS,
  type ScoreBucket,
} from '#contracts/seo/index.ts';
import { failure, item, type AnswerOf, type Call, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { CATEGORY } from '#origin/platform/registry/term-kind.ts';
import type { Store } from '#origin/platform/store/index.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { tableLink } from '#origin/platform/site/editor-links.ts';
import { forManagers } from '../permit.ts';
import { isSetNoindex } from '../records/object-settings.ts';
import { seoRecord } from '../records/tables.ts';

/** What is counted: the score for the keyphrase, or how well texts read. */
interface Measure {
  /** Under which the table is narrowed to a bucket. */
  filter: 'seo_filter' | 'readability_filter';
  bucket: SQL<ScoreBucket>;
  /** What takes no part. */
  condition?: SQL;
}

const bucketOf = (score: SQL, unscored: SQL) => sql<ScoreBucket>`case
  when ${score} >= ${sql.raw(String(SCORE_BOUNDS.good[0]))} then 'good'
  when ${score} >= ${sql.raw(String(SCORE_BOUNDS.ok[0]))} then 'ok'
  when ${score} >= ${sql.raw(String(SCORE_BOUNDS.bad[0]))} then 'bad'
  else ${unscored} end`;

/** Of content that is joined with its record. */
export const SEO_BUCKET = bucketOf(sql`coalesce(${seoRecord.seoScore}, 0)`, sql`'notAnalyzed'`);
/** A text that was read through and scored 0 reads badly. */
export const READABILITY_BUCKET = bucketOf(
  sql`coalesce(${seoRecord.readabilityScore}, 0)`,
  sql`case when coalesce(${seoRecord.readingMinutes}, 0) > 0 then 'bad' else 'notAnalyzed' end`,
);

const SEO: Measure = {
  filter: 'seo_filter',
  bucket: SEO_BUCKET,
  condition: not(isSetNoindex()),
};
const READABILITY: Measure = { filter: 'readability_filter', bucket: READABILITY_BUCKET };

/** Serves how much content has which score. */
export function serveScores(registry: RouteRegistry): void {
  registry.serve(getSeoScores, (call) => answerScores(call, SEO), { ...forManagers, isKept: false });
  registry.serve(getReadabilityScores, (call) => answerScores(call, READABILITY), { ...forManagers, isKept: false });
}

type ScoresCall = Pick<Call<typeof getSeoScores>, 'context' | 'query' | 'addresses'>;

async function answerScores(call: ScoresCall, measure: Measure): Promise<AnswerOf<typeof getSeoScores>> {
  const { context, query, addresses } = call;
  const { contentType, troubleshooting = false, term: termId } = query;
  const problem = findProblem(call, context.kinds.get(contentType));
  if (problem !== undefined) return failure(400, { error: problem });
  const category = termId === undefined ? undefined : await findCategory(call, termId);
  if (termId !== undefined && category === undefined)
    return failure(400, { error: `There is no category with the id ${termId}.` });

  const { counts, queryTime, cacheUsed } = await countScores(call, measure);
  const scores = SCORE_BUCKETS.map((name) => {
    const { amount, ids } = counts.get(name) ?? { amount: 0, ids: '' };
    const view = tableLink(addresses, {
      type: contentType,
      status: 'publish',
      [measure.filter]: name === 'notAnalyzed' ? 'na' : name,
      ...(category === undefined ? {} : { category }),
    });
    return { name, amount, links: { view }, ...(troubleshooting && amount > 0 ? { ids } : {}) };
  });
  return item({ scores, queryTime, cacheUsed });
}

/** Content is narrowed by categories, and only where it has some. */
function findProblem({ query }: ScoresCall, kind: ContentKind | undefined): string | undefined {
  const { contentType, taxonomy, term: termId } = query;
  if (!kind?.hasPage || kind.isFile) return `There is no type of content "${contentType}".`;
  if (taxonomy !== '' && (taxonomy !== CATEGORY.taxonomy || !kind.terms.includes(CATEGORY)))
    return `"${contentType}" can't be narrowed by "${taxonomy}".`;
  if (taxonomy !== '' && termId === undefined) return 'Send the term of the taxonomy too.';
  if (taxonomy === '' && termId !== undefined) return 'Send the taxonomy of the term too.';
  return undefined;
}

/** Its slug. */
async function findCategory({ context }: ScoresCall, id: number): Promise<string | undefined> {
  const [found] = await context.store.db
    .select({ slug: term.slug })
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, CATEGORY.taxonomy)));
  return found?.slug;
}

type Counts = ReadonlyMap<ScoreBucket, { amount: number; ids: string }>;
interface Kept {
  counts: Counts;
  /** By the clock of `performance`. */
  at: number;
}

const KEPT_MS = 60_000;
const MAX_KEPT = 500;
/** Counts of the last minute, by what was counted. */
const kept = new WeakMap<Store, Map<string, Kept>>();

/** Counts may be a minute old; lists of ids never are. */
async function countScores(call: ScoresCall, measure: Measure) {
  const { store } = call.context;
  const { contentType, term: termId, troubleshooting = false } = call.query;
  const ofStore = kept.get(store) ?? new Map<string, Kept>();
  kept.set(store, ofStore);
  const key = `${measure.filter} ${contentType} ${termId ?? ''}`;
  const before = ofStore.get(key);
  const at = performance.now();
  if (!troubleshooting && before && at - before.at < KEPT_MS)
    return { counts: before.counts, queryTime: 0, cacheUsed: true };
  const counts = await queryScores(call, measure);
  if (ofStore.size >= MAX_KEPT) ofStore.clear();
  if (!troubleshooting) ofStore.set(key, { counts, at });
  return { counts, queryTime: (performance.now() - at) / 1000, cacheUsed: false };
}

async function queryScores({ context, query }: ScoresCall, { bucket, condition }: Measure): Promise<Counts> {
  const { db } = context.store;
  const { contentType, term: termId, troubleshooting = false } = query;
  const carriesTerm = (id: number) =>
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
    .leftJoin(seoRecord, and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, content.id)))
    .where(
      and(
        eq(content.type, contentType),
        eq(content.status, 'publish'),
        condition,
        termId === undefined ? undefined : carriesTerm(termId),
      ),
    )
    .groupBy(sql`1`);
  return new Map(rows.map((row) => [row.bucket, { amount: row.amount, ids: row.ids }]));
}
