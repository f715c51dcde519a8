import { digitalLinkPath, podcastPath } from '#catalogue/addresses/paths.ts';
import { episodeMentions } from '#catalogue/podcast/podcast-pages.ts';
import type { Options } from '#config/index.ts';
import { documentFileName } from '#catalogue/documents/document-csv.ts';
import { parseGtin } from '#contracts/index.ts';
import { chaptersWithin } from '#contracts/podcast/chapter.ts';
import type { EpisodeRecord, PlayerRecord, PodcastRecord } from '#contracts/synced/index.ts';
import type { AudioFile, EpisodeChapter } from '../entries/entries.ts';
import { documentPath } from '#catalogue/read-model/assets.ts';
import { findImage } from '#catalogue/read-model/project-products.ts';
import type { LoaderSource, ProjectedEntry } from '#catalogue/read-model/with-snapshot.ts';
import type { StoredAsset } from '#snapshot/index.ts';
import { articleData, articleText, readArticles, siteAddresses, type Articles } from './articles.ts';
import {
  toEpisodeArticle,
  readPodcast,
  siteLanguage,
  findTranscript,
  type SiteEntry,
  publicTerms,
} from './content-paths.ts';

/** The podcast in each language with episodes: the show of that language, or else the podcast itself. */
export function* projectPodcasts(source: LoaderSource): Generator<ProjectedEntry> {
  const { snapshot, options, languages } = source;
  const { episodes } = readArticles(source);
  const { podcast, shows } = readPodcast(source);
  const podcastLanguage = siteLanguage(podcast?.language ?? options.mainLanguage, languages);
  const listen = [...snapshot.records('player')].flatMap(({ clients }) => listenLinks(clients));
  for (const language of languages.filter((code) => episodes.some((episode) => episode.language === code))) {
    const show = shows.find((one) => one.language && siteLanguage(one.language, languages) === language);
    const textOf = (field: TextField): string => show?.[field] || podcast?.[field] || '';
    const title = textOf('title') || options.site.name;
    const cover = show?.cover ?? podcast?.cover;
    yield {
      id: language,
      data: {
        language,
        title,
        subtitle: textOf('subtitle'),
        summary: textOf('summary'),
        guid: show?.guid || (language === podcastLanguage && podcast?.guid) || undefined,
        author: textOf('author') || options.site.name,
        email: textOf('email') || undefined,
        category: categoryOf(textOf('category')),
        type: show?.type ?? podcast?.type ?? 'episodic',
        explicit: (show ?? podcast)?.explicit ?? false,
        copyright: textOf('copyright'),
        funding: show?.funding ?? podcast?.funding,
        license: show?.license ?? podcast?.license,
        cover: cover && findImage(snapshot, cover, title),
        listen,
        path: podcastPath(language),
      },
    };
  }
}

type TextField = 'title' | 'subtitle' | 'summary' | 'author' | 'email' | 'category' | 'copyright';

function categoryOf(display: string): { top: string; leaf?: string } | undefined {
  const [top = '', leaf] = display.split(' > ');
  return top === '' ? undefined : { top, ...(leaf && { leaf }) };
}

/** Builds the address of a podcast by client and id. Apps that subscribe by feed get it from the page. */
const DIRECTORIES: Readonly<Record<string, (id: string) => string>> = {
  'apple-podcasts': (id) => `https://podcasts.apple.com/podcast/id${id.replace(/^id/, '')}`,
  castbox: (id) => `https://castbox.fm/channel/${id}`,
  deezer: (id) => `https://www.deezer.com/show/${id}`,
  soundcloud: (id) => `https://soundcloud.com/${id}`,
  spotify: (id) => `https://open.spotify.com/show/${id}`,
  youtube: (id) => `https://www.youtube.com/channel/${id}`,
};

function listenLinks(clients: PlayerRecord['clients']): { client: string; url: string }[] {
  return clients.flatMap(({ id: client, service }) => {
    if (/^https:\/\/\S+$/.test(service) && URL.canParse(service)) return [{ client, url: service }];
    const address = DIRECTORIES[client];
    return address && /^[\w-]+$/.test(service) ? [{ client, url: address(service) }] : [];
  });
}

/**
 * Episodes by language.
 * @param wanted Ids of the entries to return; all if omitted.
 */
export function* projectEpisodes(source: LoaderSource, ids?: ReadonlySet<string>): Generator<ProjectedEntry> {
  const articles = readArticles(source);
  const { podcast } = readPodcast(source);
  const linkProduct = productLinks(source);
  for (const episode of articles.episodes) {
    if (ids && !ids.has(episode.entryId)) continue;
    const data = episodeData(episode, { source, articles, podcast, linkProduct });
    const text = articleText(toEpisodeArticle(episode), articles.context);
    const derive = (html: string) => ({ mentions: episodeMentions({ chapters: data.chapters, html }) });
    yield { id: episode.entryId, data, ...text, derive };
  }
}

interface EpisodeContext {
  source: LoaderSource;
  articles: Articles;
  podcast: PodcastRecord | undefined;
  linkProduct: (href: string) => string | undefined;
}

function episodeData(episode: SiteEntry<EpisodeRecord>, { source, articles, podcast, linkProduct }: EpisodeContext) {
  const { record, language, slug } = episode;
  const { snapshot, options } = source;
  const { author, featured, path, title, published, modified } = articleData(
    toEpisodeArticle(episode),
    articles.context,
  );
  const { guid, number, season, type, subtitle, summary, recorded, explicit, soundbite, license } = record;
  const poster = record.poster === podcast?.cover ? undefined : record.poster;
  const image = (address: string | undefined) => (address ? findImage(snapshot, address, title) : undefined);
  const stored = record.audio.map((file) => ({ ...file, asset: snapshot.asset(file.url, 'audio') }));
  const audio = stored.map((file) => audioFile(file, options));
  const durations = stored.map(({ asset }) => Number(asset?.details?.['durationMs'] ?? 0));
  const durationMs = record.durationMs || (durations.find((ms) => ms > 0) ?? 0);
  return {
    sourceId: record.id,
    language,
    slug,
    guid,
    title,
    number,
    season,
    type,
    subtitle,
    summary,
    published,
    modified,
    recorded,
    durationMs,
    explicit,
    cover: image(record.cover) ?? featured ?? image(poster),
    audio,
    chapters: chaptersWithin(record.chapters, durationMs).map(
      ({ startMs, title: name, href, image: picture }): EpisodeChapter => {
        const target = href && (articles.context.resolveLink(href, language) ?? linkProduct(href) ?? href);
        const chapterImage = picture ? findImage(snapshot, picture, '') : undefined;
        return { startMs, title: name, ...(target && { href: target }), ...(chapterImage && { image: chapterImage }) };
      },
    ),
    transcript: findTranscript(snapshot, record)?.digest,
    soundbite,
    license,
    contributors: author ? [{ name: author }] : [],
    tags: publicTerms(articles.terms.termsOf(record.tags), options.publishing),
    translations: articles.translations.episodes.get(record.id),
    path,
    draft: record.draft,
  };
}

/** The mirrored file, or the source if there is none. */
function audioFile(
  { url, bytes, mimeType, asset }: EpisodeRecord['audio'][number] & { asset: StoredAsset | undefined },
  options: Options,
): AudioFile {
  const path = asset && options.podcast.audio === 'mirror' ? documentPath(asset) : undefined;
  return {
    href: path ?? url,
    fileName: documentFileName(url),
    mimeType: asset?.mimeType ?? mimeType,
    bytes: asset?.bytes ?? bytes,
    ...(path !== undefined && asset?.digest && { digest: asset.digest }),
  };
}

/** Returns a function that maps GS1 Digital Links of either site to the path of an existing product. */
function productLinks({ snapshot, options }: LoaderSource): (href: string) => string | undefined {
  const addresses = [...siteAddresses(snapshot), options.site.url];
  const hosts = new Set(addresses.flatMap((address) => URL.parse(address)?.host ?? []));
  return (href) => {
    const url = URL.parse(href);
    const [, digits = ''] = /\/01\/(\d{13,14})\/?$/.exec(url?.pathname ?? '') ?? [];
    const parsed = url && hosts.has(url.host) ? parseGtin(digits) : undefined;
    if (!parsed?.ok || snapshot.languagesOf(parsed.gtin13).length === 0) return undefined;
    return digitalLinkPath(parsed.gtin13);
  };
}
