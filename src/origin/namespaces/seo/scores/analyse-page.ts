import { and, count, eq, inArray, ne, not, or, sql } from 'drizzle-orm';
import type { AdviceLanguage, AnalysisSubject, Analysis } from '#analysis/types.ts';
import { decodeEntities } from '#contracts/html/decode-entities.ts';
import { isEditableBy, isReadableBy } from '#origin/platform/content/rights-condition.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { headTexts } from '../head/compose-head.ts';
import type { HeadPage, HeadSite, HeadTexts } from '../head/head-page.ts';
import { seoRecord, type RecordType } from '../records/tables.ts';

/** Input of an analysis in addition to the head of the page. */
export interface AnalysisText {
  slug: string;
  html: string;
  /** @default detected from the text */
  language?: string;
  /** @default language of the text */
  adviceLanguage?: AdviceLanguage;
  /** Alternative text of the featured image; undefined without an image. */
  featuredAlt: string | undefined;
  /** Number of other pages with the same keyphrase. */
  keyphraseUses: number;
}

/** Returns titles and descriptions of a page as visitors see them, with entities decoded. */
export function decodedHeadTexts(page: HeadPage, site: HeadSite): HeadTexts {
  const { title, description, socialTitle, socialDescription, twitterTitle, twitterDescription } = headTexts(
    page,
    site,
  );
  return {
    title: decodeEntities(title),
    description: decodeEntities(description),
    socialTitle: decodeEntities(socialTitle),
    socialDescription: decodeEntities(socialDescription),
    twitterTitle: decodeEntities(twitterTitle),
    twitterDescription: decodeEntities(twitterDescription),
  };
}

/** Analyses a page as it would be rendered, for stored pages as well as for drafts in the editor. */
export function analysePage(page: HeadPage, site: HeadSite, text: AnalysisText): Promise<Analysis> {
  const { title, description } = decodedHeadTexts(page, site);
  const { language, adviceLanguage, featuredAlt } = text;
  return runTextJob('analyse', text.html, page.name, {
    ...(language === undefined ? {} : { language }),
    ...(adviceLanguage === undefined ? {} : { adviceLanguage }),
    kind: kindOf(page),
    title,
    description,
    slug: text.slug,
    keyphrase: page.settings.focus_keyphrase,
    address: page.url,
    images: featuredAlt === undefined ? [] : [{ alt: featuredAlt }],
    isCornerstone: page.settings.is_cornerstone,
    keyphraseUses: text.keyphraseUses,
  });
}

function kindOf({ kind, type }: HeadPage): AnalysisSubject {
  if (kind !== 'content') return 'term';
  return type === 'page' ? 'page' : 'post';
}

const RECORD_TYPES: Readonly<Partial<Record<HeadPage['kind'], RecordType>>> = {
  content: 'post',
  term: 'term',
  author: 'user',
};

/**
 * Counts other pages with the same keyphrase, ignoring case. Content that the caller can't read is not counted: the
 * count would confirm a guess at the keyphrase of a private draft.
 */
export async function countKeyphraseUses(
  db: Pick<Database, 'select'>,
  { kind, id }: Pick<HeadPage, 'kind' | 'id'>,
  phrase: string,
  caller: Caller,
): Promise<number> {
  const keyphrase = phrase.trim().toLowerCase();
  if (keyphrase === '') return 0;
  const isItself = and(eq(seoRecord.type, RECORD_TYPES[kind] ?? 'post'), eq(seoRecord.objectId, id));
  const isReadable = and(isReadableBy(caller), or(eq(content.password, ''), isEditableBy(caller)));
  const [found] = await db
    .select({ uses: count() })
    .from(seoRecord)
    .leftJoin(content, and(eq(seoRecord.type, 'post'), eq(content.id, seoRecord.objectId)))
    .where(
      and(
        eq(sql`lower(${seoRecord.focusKeyphrase})`, keyphrase),
        ne(sql`coalesce(${seoRecord.status}, '')`, 'trash'),
        isItself && not(isItself),
        or(ne(seoRecord.type, 'post'), isReadable),
      ),
    );
  return found?.uses ?? 0;
}

/** Loads alternative texts of featured images by image ID. */
export async function loadFeaturedAlts(
  db: Pick<Database, 'select'>,
  rows: readonly Pick<ContentRow, 'featuredMedia'>[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.map(({ featuredMedia }) => featuredMedia))].filter((id) => id > 0);
  if (ids.length === 0) return new Map();
  const images = await db
    .select({ id: content.id, alt: content.altText })
    .from(content)
    .where(inArray(content.id, ids));
  return new Map(images.map(({ id, alt }) => [id, alt]));
}
