import { episodePath } from '#catalogue/addresses/paths.ts';
import { baseLanguage } from '#contracts/base-language.ts';
import type { ArticleRecord, EpisodeRecord, PodcastRecord, ShowRecord } from '#contracts/synced/index.ts';
import type { SnapshotReader, Stored, StoredAsset } from '#snapshot/index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { findLanguage } from './find-language.ts';
import { assignSlugs, type SiteEntry } from './post-paths.ts';
import type { TermIndex } from './term-index.ts';

export interface PodcastSources {
  podcast: PodcastRecord | undefined;
  shows: readonly ShowRecord[];
}

export function readPodcast({ snapshot }: Pick<LoaderSource, 'snapshot'>): PodcastSources {
  return { podcast: [...snapshot.records('podcast')][0], shows: [...snapshot.records('show')] };
}

/**
 * Assigns each episode its language and address. The language comes from its show, or else from its tags or slug as for
 * posts, or else from the podcast. Episodes in languages that aren't built are omitted.
 */
export function resolveEpisodePaths(
  source: Omit<LoaderSource, 'warn'>,
  terms: TermIndex,
): SiteEntry<Stored<EpisodeRecord>>[] {
  const { snapshot, options, languages } = source;
  const rules = options.publishing.language;
  const { podcast, shows } = readPodcast(source);
  const showLanguages = new Map(shows.flatMap(({ slug, language }) => (language ? [[slug, language] as const] : [])));
  const episodes = [...snapshot.records('episode')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: [], tags: terms.tagSlugs(record) };
    const showLanguage = showLanguages.get(record.show);
    const ruleLanguage = showLanguage === undefined ? findLanguage(evidence, rules) : undefined;
    const code = showLanguage ?? ruleLanguage ?? podcast?.language ?? options.mainLanguage;
    const language = siteLanguage(code, languages);
    return language === undefined ? [] : [{ record, language }];
  });
  return assignSlugs(episodes, rules, episodePath);
}

/** Finds the site language for a podcast language: the same one, or else the first with the same base language. */
export function siteLanguage(code: string, languages: readonly string[]): string | undefined {
  const lowerCode = code.toLowerCase();
  return (
    languages.find((language) => language.toLowerCase() === lowerCode) ??
    languages.find((language) => baseLanguage(language.toLowerCase()) === baseLanguage(lowerCode))
  );
}

/** Returns the first stored transcript of an episode. */
export function findTranscript(
  snapshot: Pick<SnapshotReader, 'asset'>,
  { transcripts }: Pick<EpisodeRecord, 'transcripts'>,
): StoredAsset | undefined {
  return transcripts.map((url) => snapshot.asset(url, 'transcript')).find((asset) => asset?.digest);
}

/** Converts an episode to an article record, with the id of its page instead of that of the episode. */
export function toEpisodeArticle({ record, ...placed }: SiteEntry<EpisodeRecord>): SiteEntry<ArticleRecord> {
  const { page: id, slug, link, title, html, summary: excerpt, published, modified = published } = record;
  const { author = 0, featuredMedia } = record;
  return {
    ...placed,
    record: { id, slug, link, title, html, excerpt, published, modified, author, featuredMedia },
  };
}
