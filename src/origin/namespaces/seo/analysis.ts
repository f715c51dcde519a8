import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, gt, inArray, lt, ne, not, notInArray, or, sql, type SQL } from 'drizzle-orm';
import type { Analysis, AnalysisInput, AnalysisSubject } from '#analysis/types.ts';
import { ANALYSED_KEY, SEO_META_KEYS } from '#contracts/seo/settings.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { ANONYMOUS, type Caller } from '#origin/platform/http/callers/caller.ts';
import { type BackgroundWork, runPeriodically } from '#origin/platform/namespace/namespace-module.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadHeadContext, loadHeadPages, type HeadPage } from './head/load-pages.ts';
import type { HeadSite } from './head/load-site.ts';
import { SEO_OPTION } from './options.ts';
import { deleteOrphanedSettings, storedScore, storedSetting } from './settings.ts';
import { seoObjectSettings } from './tables.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { isEditableBy, isReadableBy } from '#origin/platform/content/content-rights.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { headTexts, type HeadTexts } from './head/compose-head.ts';
import { typesWithHeads } from './head/find-page.ts';

/** Maximum texts loaded at a time. */
const BATCH = 20;
const PAUSE_MS = 2000;
const PAUSE_AFTER_FAILURE_MS = 60_000;

/** Starts a background job that analyses changed texts and deletes settings without an object. */
export function startAnalysis(context: OriginContext): BackgroundWork {
  return runPeriodically(context, {
    work: async (isStopped) => {
      await deleteOrphanedSettings(context.store.db);
      while (!isStopped() && (await analyseDueTexts(context)) === BATCH);
      return PAUSE_MS;
    },
    problem: 'Texts could not be analysed',
    failurePauseMs: PAUSE_AFTER_FAILURE_MS,
  });
}

/** SQL expression that is true if the site analyses all texts. */
const ANALYSE_ALL = sql`coalesce((select value -> 'analyse_on_save' = 'true' from option where name = ${SEO_OPTION}), false)`;

/** Time without writes before an analysis. Modification times are in seconds, so a later write has a later one. */
const SETTLED_MS = 1000;

/** Selects texts that have changed since their analysis, and new texts if the site analyses all. */
function isAnalysisDue(context: Pick<OriginContext, 'kinds'>, now: Date): SQL | undefined {
  const scores = [storedScore('seo_score'), storedScore('readability_score'), storedScore('reading_minutes')];
  return and(
    inArray(content.type, typesWithHeads(context)),
    notInArray(content.status, ['trash', 'auto-draft']),
    sql`${content.meta} ->> ${ANALYSED_KEY} is distinct from ${content.modifiedGmt}::text`,
    or(ANALYSE_ALL, ...scores.map((score) => gt(score, 0))),
    lt(content.modifiedGmt, toSiteTime(new Date(now.getTime() - SETTLED_MS), 'UTC')),
  );
}

/** Analyses texts that have changed and saves their scores. Returns the number of texts that were due. */
export async function analyseDueTexts(context: OriginContext, now = new Date()): Promise<number> {
  const { db } = context.store;
  const rows = await db.select().from(content).where(isAnalysisDue(context, now)).orderBy(asc(content.id)).limit(BATCH);
  if (rows.length === 0) return 0;
  const scope = await loadHeadContext({ context, requestMemo: new Memo() });
  const found = rows.map((row) => ({ kind: 'content' as const, row }));
  const pages = await loadHeadPages(found, scope);
  const alts = await loadFeaturedAlts(db, rows);
  for (const [i, page] of pages.entries()) {
    const row = rows[i];
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
    [ANALYSED_KEY]: row.modifiedGmt,
  };
  const isUnchanged = and(
    eq(content.id, row.id),
    eq(content.modifiedGmt, row.modifiedGmt),
    eq(content.content, row.content),
    eq(content.meta, row.meta),
  );
  await retryTransaction(store.db, (tx) =>
    tx
      .update(content)
      .set({ meta: sql`${content.meta} || ${JSON.stringify(meta)}::jsonb` })
      .where(isUnchanged),
  );
}

/** Input of an analysis in addition to the head of the page. Without a language, it is detected from the text. */
type AnalysisText = Pick<AnalysisInput, 'slug' | 'html' | 'adviceLanguage' | 'keyphraseUses'> & {
  language?: string;
  /** Alternative text of the featured image; undefined without an image. */
  featuredAlt: string | undefined;
};

/** Returns titles and descriptions of a page as visitors see them, with entities decoded. */
export function decodedHeadTexts(page: HeadPage, site: HeadSite): HeadTexts {
  const texts = Object.entries(headTexts(page, site)).map(([name, text]: [string, string]) => [
    name,
    decodeEntities(text),
  ]);
  return Object.fromEntries(texts) as HeadTexts;
}

/** Analyses a page as it would be rendered, for stored pages as well as for drafts in the editor. */
export function analysePage(page: HeadPage, site: HeadSite, text: AnalysisText): Promise<Analysis> {
  const { title, description } = decodedHeadTexts(page, site);
  const { html, featuredAlt, ...given } = text;
  return runTextJob('analyse', html, page.name, {
    ...given,
    kind: kindOf(page),
    title,
    description,
    keyphrase: page.settings.focus_keyphrase,
    address: page.url,
    images: featuredAlt === undefined ? [] : [{ alt: featuredAlt }],
    isCornerstone: page.settings.is_cornerstone,
  });
}

function kindOf({ kind, type }: HeadPage): AnalysisSubject {
  if (kind !== 'content') return 'term';
  return type === 'page' ? 'page' : 'post';
}

/**
 * Counts other pages with the same keyphrase, ignoring case. Content that the caller can't read is not counted: the
 * count would confirm a guess at the keyphrase of a private draft.
 */
export async function countKeyphraseUses(
  db: Pick<Database, '$count'>,
  { kind, id }: Pick<HeadPage, 'kind' | 'id'>,
  phrase: string,
  caller: Caller,
): Promise<number> {
  const keyphrase = phrase.trim().toLowerCase();
  if (keyphrase === '') return 0;
  const inContent = and(
    eq(sql`lower(${storedSetting('focus_keyphrase')})`, keyphrase),
    notInArray(content.status, ['trash', 'auto-draft']),
    ne(content.type, 'revision'),
    isReadableBy(caller),
    or(eq(content.password, ''), isEditableBy(caller)),
    kind === 'content' ? ne(content.id, id) : undefined,
  );
  const { type, objectId, meta } = seoObjectSettings;
  const elsewhere = and(
    eq(sql`lower(${meta} ->> ${SEO_META_KEYS.focus_keyphrase})`, keyphrase),
    not(and(eq(type, kind === 'author' ? 'user' : 'term'), eq(objectId, kind === 'content' ? 0 : id)) as SQL),
  );
  return (await db.$count(content, inContent)) + (await db.$count(seoObjectSettings, elsewhere));
}

/** Loads alternative texts of featured images by image ID. */
export async function loadFeaturedAlts(
  db: Pick<Database, 'select'>,
  rows: readonly Pick<ContentRow, 'featuredMedia'>[],
) {
  const ids = [...new Set(rows.map(({ featuredMedia }) => featuredMedia))].filter((id) => id > 0);
  if (ids.length === 0) return new Map<number, string>();
  const images = await db
    .select({ id: content.id, alt: content.altText })
    .from(content)
    .where(inArray(content.id, ids));
  return new Map(images.map(({ id, alt }) => [id, alt]));
}
