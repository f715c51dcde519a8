import { and, count, eq, sql, type SQL } from 'drizzle-orm';
import { getStatistics } from '#contracts/seo/scores.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type Call, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import { content } from '#origin/platform/store/schema.ts';
import { tableLink } from '#origin/platform/site/editor-links.ts';
import { requireRights } from '../authorize.ts';
import { hasNoindexSetting, storedSetting } from '../records/object-settings.ts';
import { seoRecord } from '../records/tables.ts';
import { SEO_BUCKET } from './count-scores.ts';

/** Minimum share of good posts for a positive headline. */
const GOOD_SHARE = 0.66;

const LABELS = {
  bad: 'Needs improvement',
  ok: 'OK',
  good: 'Good',
  na: 'No focus keyphrase',
  noindex: 'Not indexed',
} as const;
const RANKS = ['bad', 'ok', 'good', 'na', 'noindex'] as const;

/** Serves the overview of posts by their scores. */
export function serveStatistics(registry: RouteRegistry): void {
  registry.serve(getStatistics, getScoreStatistics, requireRights('read'));
}

async function getScoreStatistics(call: Call<typeof getStatistics>): Promise<ResultOf<typeof getStatistics>> {
  const { caller, addresses } = call;
  const author = can(caller, 'edit_others_posts') ? undefined : requireUser(caller).id;
  const { total, ...counts } = await countPosts(call, author);
  const seo_scores = RANKS.filter((rank) => counts[rank] > 0).map((seo_rank) => {
    const filters = { type: 'post', status: 'publish', seo_filter: seo_rank };
    const link = tableLink(addresses, author === undefined ? filters : { ...filters, author });
    return { seo_rank, label: LABELS[seo_rank], count: counts[seo_rank], link };
  });
  return item({ header: formatHeader(total, counts.good), seo_scores });
}

/** Counts posts by rank. A post can be in several ranks, such as "noindex" and "good". */
async function countPosts({ context }: Pick<Call<typeof getStatistics>, 'context'>, author: number | undefined) {
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
    .leftJoin(seoRecord, and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, content.id)))
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
