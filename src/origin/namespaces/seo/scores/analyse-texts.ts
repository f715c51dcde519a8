import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Analysis } from '#analysis/types.ts';
import { SEO_META_KEYS } from '#contracts/seo/settings.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ANONYMOUS } from '#origin/platform/http/callers/caller.ts';
import { Memo } from '#origin/platform/http/transport/index.ts';
import { type BackgroundWork, runPeriodically } from '#origin/platform/namespace/namespace-module.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadHeadContext, loadHeadPages } from '../head/load-pages.ts';
import { seoRecord } from '../records/tables.ts';
import { analysePage, countKeyphraseUses, loadFeaturedAlts } from './analyse-page.ts';

/** Maximum texts loaded at a time. */
const BATCH = 20;
const PAUSE_MS = 2000;
const PAUSE_AFTER_FAILURE_MS = 60_000;

/** Starts a background job that analyses changed texts while the origin runs. */
export function startAnalysis(context: OriginContext): BackgroundWork {
  return runPeriodically(context, {
    work: (isStopped) => analyseAll(context, isStopped),
    problem: 'Texts could not be analysed',
    failurePauseMs: PAUSE_AFTER_FAILURE_MS,
  });
}

async function analyseAll(context: OriginContext, isStopped: () => boolean): Promise<number> {
  while (!isStopped() && (await analyseDueTexts(context)) === BATCH);
  return PAUSE_MS;
}

/** Analyses texts that have changed and saves their scores. Returns the number of texts that were due. */
export async function analyseDueTexts(context: OriginContext): Promise<number> {
  const { db } = context.store;
  const rows = await db
    .select({ row: content })
    .from(seoRecord)
    .innerJoin(content, eq(content.id, seoRecord.objectId))
    .where(and(eq(seoRecord.type, 'post'), eq(seoRecord.isAnalysisDue, true)))
    .orderBy(asc(seoRecord.id))
    .limit(BATCH);
  if (rows.length === 0) return 0;
  const scope = await loadHeadContext({ context, requestMemo: new Memo() });
  const pages = await loadHeadPages(
    rows.map(({ row }) => ({ kind: 'content', row })),
    scope,
  );
  const alts = await loadFeaturedAlts(
    db,
    rows.map(({ row }) => row),
  );
  for (const [i, page] of pages.entries()) {
    const row = rows[i]?.row;
    if (!row) continue;
    const analysis = await analysePage(page, scope.head, {
      slug: row.slug,
      html: row.content,
      featuredAlt: alts.get(row.featuredMedia),
      // Count only public uses: scores are visible to users who can't read private drafts.
      keyphraseUses: await countKeyphraseUses(db, page, page.settings.focus_keyphrase, ANONYMOUS),
    });
    await saveScores(context, row, analysis);
    await setImmediate();
  }
  return rows.length;
}

/** Saves scores, unless the text has changed during the analysis. Keeps the modification date. */
async function saveScores({ store }: OriginContext, row: ContentRow, analysis: Analysis): Promise<void> {
  const meta = {
    [SEO_META_KEYS.seo_score]: String(analysis.seo),
    [SEO_META_KEYS.readability_score]: String(analysis.readability),
    [SEO_META_KEYS.title_score]: String(analysis.titleScore),
    [SEO_META_KEYS.description_score]: String(analysis.descriptionScore),
    [SEO_META_KEYS.reading_minutes]: String(analysis.readingMinutes),
  };
  await retryTransaction(store.db, async (tx) => {
    const isUnchanged = and(
      eq(content.id, row.id),
      eq(content.modifiedGmt, row.modifiedGmt),
      eq(content.content, row.content),
      eq(content.meta, row.meta),
    );
    const [saved] = await tx
      .update(content)
      .set({ meta: sql`${content.meta} || ${JSON.stringify(meta)}::jsonb` })
      .where(isUnchanged)
      .returning({ id: content.id });
    if (!saved) return;
    await tx
      .update(seoRecord)
      .set({
        seoScore: analysis.seo,
        readabilityScore: analysis.readability,
        titleScore: analysis.titleScore,
        descriptionScore: analysis.descriptionScore,
        readingMinutes: analysis.readingMinutes,
        isAnalysisDue: false,
      })
      .where(and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, row.id)));
  });
}
