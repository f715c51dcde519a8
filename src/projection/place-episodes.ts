import { episodePath } from '#catalogue/addresses/paths.ts';
import { baseLanguage } from '#contracts/base-language.ts';
import type { ArticleRecord, EpisodeRecord, PodcastRecord, ShowRecord } from '#contracts/synced/index.ts';
import type { SnapshotReader, Stored, StoredAsset } from '#snapshot/index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { findLanguage } from './find-language.ts';
import { withSlugs, type Placed } from './place-posts.ts';
import type { TermIndex } from './term-index.ts';

export interface PodcastSources {
  podcast: PodcastRecord | undefined;
  shows: readonly ShowRecord[];
}

export function readPodcast({ snapshot }: Pick<LoaderSource, 'snapshot'>): PodcastSources {
  return { podcast: [...snapshot.records('podcast')][0], shows: [...snapshot.records('show')] };
}

/**
 * Gives every episode its language and address. Its language is that of its show; without one, that which its tags or
 * its slug tell, as of posts, or else that of the podcast. Episodes in a language that isn't built are left out.
 */
export function placeEpisodes(source: Omit<LoaderSource, 'warn'>, terms: TermIndex): Placed<Stored<EpisodeRecord>>[] {
  const { snapshot, options, languages } = source;
  const rules = options.publishing.language;
  const { podcast, shows } = readPodcast(source);
  const ofShows = new Map(shows.flatMap(({ slug, language }) => (language ? [[slug, language] as const] : [])));
  const episodes = [...snapshot.records('episode')].flatMap((record) => {
    const evidence = { slug: record.slug, categories: [], tags: terms.tagSlugs(record) };
    const ofShow = ofShows.get(record.show);
    const ruled = ofShow === undefined ? findLanguage(evidence, rules) : undefined;
    const code = ofShow ?? ruled ?? podcast?.language ?? options.mainLanguage;
    const language = siteLanguage(code, languages);
    return language === undefined ? [] : [{ record, language }];
  });
  return withSlugs(episodes, rules, episodePath);
}

/** The language of the site that a podcast's is: the same, or else the first of the same without its region. */
export function siteLanguage(code: string, languages: readonly string[]): string | undefined {
  const wanted = code.toLowerCase();
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => baseLanguage(language.toLowerCase()) === baseLanguage(wanted))
  );
}

/** The transcript of an episode that is read: the first that is stored. */
export function transcriptOf(
  snapshot: Pick<SnapshotReader, 'asset'>,
  { transcripts }: Pick<EpisodeRecord, 'transcripts'>,
): StoredAsset | undefined {
  return transcripts.map((url) => snapshot.asset(url, 'transcript')).find((asset) => asset?.digest);
}

/** The page of an episode as the publishing site's other pages are: by its own id, which isn't that of the episode. */
export function pageOfEpisode({ record, ...placed }: Placed<EpisodeRecord>): Placed<ArticleRecord> {
  const { page: id, slug, link, title, html, summary: excerpt, published, modified = published } = record;
  const { author = 0, featuredMedia } = record;
  return {
    ...placed,
    record: { id, slug, link, title, html, excerpt, published, modified, author, featuredMedia },
  };
}
