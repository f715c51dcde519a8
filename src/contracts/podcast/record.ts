import { z } from 'zod';
import { resourceRoutes, readRoute, updateRoute } from '../route.ts';
import { wireBoolean, wireInteger } from '../wire.ts';
import {
  okResponse,
  longText,
  looseInteger,
  shortText,
  textOrNull,
  clearableAddress,
  webAddress,
  NOT_FOUND,
} from './shared-schemas.ts';
import categories from './categories.json' with { type: 'json' };
import languages from './languages.json' with { type: 'json' };

/** Language -> its name and the countries that distinguish its variants. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = languages;

/** Languages that are only selectable with a country. */
const WITH_COUNTRY_ONLY: ReadonlySet<string> = new Set(['zh', 'nb', 'nn', 'sr']);

const SCRIPTS: Readonly<Record<string, string>> = {
  Cyrl: 'Cyrillic',
  Latn: 'Latin',
  CHS: 'Simplified',
  CHT: 'Traditional',
};

/** Codes of this interface that are not country codes. */
const COUNTRIES: Readonly<Record<string, string>> = {
  CB: 'Caribbean',
  SP: 'Serbia',
  HK: 'Hong Kong SAR',
  MO: 'Macau SAR',
};
type Parts = readonly [language: string, country?: string];

/** Code -> language and, for a regional variant, country. */
const PARTS: ReadonlyMap<string, Parts> = new Map(
  Object.entries(LANGUAGES).flatMap(([language, [name = '', countries]]): [string, Parts][] => [
    ...(WITH_COUNTRY_ONLY.has(language) ? [] : [[language, [name]] satisfies [string, Parts]]),
    ...(countries?.split(' ') ?? []).map((country): [string, Parts] => [`${language}-${country}`, [name, country]]),
  ]),
);

/** Language code in requests. */
export const podcastLanguage = z.enum([...PARTS.keys()]);

/** Created on first use, because loading the names is slow. */
let countryNames: Intl.DisplayNames | undefined;

/** Formats a language for responses: `German - Switzerland`, empty for none. */
export function displayLanguage(code: string | undefined): string {
  const [language = '', part] = PARTS.get(code ?? '') ?? [];
  if (part === undefined) return language;
  const [country = '', script = country] = part.split('-');
  const scripted = script in SCRIPTS ? `${language} (${SCRIPTS[script]})` : language;
  if (country in SCRIPTS) return scripted;
  countryNames ??= new Intl.DisplayNames('en', { type: 'region' });
  return `${scripted} - ${COUNTRIES[country] ?? countryNames.of(country)}`;
}

/** Returns the code of a formatted language; undefined for an empty or unknown one. */
export function parseDisplayLanguage(display: string): string | undefined {
  return [...PARTS.keys()].find((code) => displayLanguage(code) === display);
}

/**
 * Categories of podcast directories (https://podcasters.apple.com/support/1691-apple-podcasts-categories) with
 * subcategories, as named in requests.
 */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = categories;

const directoryName = (name: string): string => name.replaceAll(' and ', ' & ');

const BY_NAME: ReadonlyMap<string, DirectoryCategory> = new Map(
  Object.entries(CATEGORIES).flatMap(([top, leaves]): [string, DirectoryCategory][] => [
    [top, { top: directoryName(top) }],
    ...leaves.map((leaf): [string, DirectoryCategory] => [
      leaf,
      { top: directoryName(top), leaf: directoryName(leaf) },
    ]),
  ]),
);

/** Category name in requests, without its parent. */
export const podcastCategory = z.enum([...BY_NAME.keys()]);

const itunesType = z.enum(['episodic', 'serial']).nullable();

/** Fields of the podcast in both versions, in response order. */
const recordHead = {
  title: textOrNull,
  subtitle: textOrNull,
  summary: textOrNull,
  mnemonic: textOrNull.describe('Short name, used as prefix of episode numbers'),
  itunes_type: itunesType.describe('Whether episodes are independent or serial'),
  author_name: textOrNull,
};
const recordTail = {
  poster: textOrNull.describe('URL of the cover, 500 pixels wide'),
  link: z.string().describe('URL of the podcast page'),
};

/** The podcast in version 1, where "show" is the podcast itself. */
export const show = z.object({ _version: z.literal('v1'), ...recordHead, ...recordTail }).meta({ title: 'show' });

/** The podcast (`podcast/v2/podcast`), section 2.5. */
export const podcast = z
  .object({
    _version: z.literal('v2'),
    guid: textOrNull.describe('Podcast guid for directories; permanent'),
    ...recordHead,
    podcast_email: textOrNull.describe('E-mail address of the owner, as in the feed'),
    ...recordTail,
    funding_url: textOrNull,
    funding_label: textOrNull,
    copyright: z.string(),
    explicit: z.boolean(),
    category: z.string().describe('Category as shown in directories, such as `Arts > Books`'),
    language: z.string().describe('Name of the language, such as `German - Austria`'),
    license_url: textOrNull,
    license_name: textOrNull,
    feeds: z.array(z.record(z.string(), z.string())).describe('Slug and URL of each feed'),
  })
  .meta({ title: 'podcast' });

/** Writable fields of the podcast. Texts can be cleared, URLs can't. */
export const podcastBody = z.object({
  guid: shortText.min(1).optional().describe('Podcast guid for directories'),
  title: shortText.optional().describe('Title'),
  subtitle: shortText.optional().describe('Subtitle'),
  summary: longText.optional().describe('Summary'),
  author_name: shortText.optional().describe('Name of the author'),
  cover_image: webAddress.optional().describe('URL of a square image, 1400 to 3000 pixels wide'),
  // Reports only that the address is invalid, as for URLs.
  podcast_email: z
    .string()
    .refine((text) => z.email().safeParse(text).success, { error: 'is not an e-mail address' })
    .optional()
    .meta({ format: 'email', description: 'E-mail address of the owner' }),
  mnemonic: shortText.optional().describe('Short name, used as prefix of episode numbers'),
  funding_url: webAddress.optional().describe('Funding URL'),
  funding_label: shortText.optional().describe('Label of the funding link'),
  copyright: shortText.optional().describe('Copyright notice; the author by default'),
  explicit: wireBoolean.optional().describe('Whether the content is explicit'),
  category: podcastCategory.optional().describe('Category name, without its parent'),
  language: podcastLanguage.optional().describe('Language code'),
  license_name: shortText.optional().describe('License name'),
  license_url: clearableAddress.optional().describe('License URL'),
  /** Extension of the interface: other servers require a duration from the client. */
  read_durations: wireBoolean.optional().describe('Whether to fill in missing durations from the audio files'),
});

/** A discoverable feed. */
export const podcastFeed = z.object({
  id: looseInteger,
  title: textOrNull,
  url: z.string().meta({ format: 'uri' }),
  content_type: z.literal('application/rss+xml'),
  file_type: z
    .object({ name: z.string(), extension: z.string(), mime_type: z.string() })
    .optional()
    .describe('Type of the files; missing for a feed without files'),
});

export type Podcast = z.output<typeof podcast>;

export const getShow = readRoute('podcast/v1/show', 'public', { summary: 'The podcast', response: show });
export const getPodcast = readRoute('podcast/v2/podcast', 'public', { summary: 'The podcast', response: podcast });
export const updatePodcast = updateRoute('podcast/v2/podcast', {
  summary: 'Updates the podcast',
  body: podcastBody,
  response: okResponse,
});
export const listFeeds = readRoute('podcast/v2/feeds', 'public', {
  summary: 'Discoverable feeds',
  response: z.object({ _version: z.literal('v2'), results: z.array(podcastFeed) }),
});

/** A category as named in directories. */
export interface DirectoryCategory {
  top: string;
  /** The subcategory. */
  leaf?: string;
}

/** Returns a category as named in directories and feeds; undefined for an unknown name. */
export function directoryCategory(name: string): DirectoryCategory | undefined {
  return BY_NAME.get(name);
}

/** Formats a category for responses: `Arts > Fashion & Beauty`, empty for none. */
export function displayCategory(name: string | undefined): string {
  const { top = '', leaf } = BY_NAME.get(name ?? '') ?? {};
  return leaf === undefined ? top : `${top} > ${leaf}`;
}

/** Returns the request name of a formatted category; undefined for an empty or unknown one. */
export function parseDisplayCategory(display: string): string | undefined {
  return [...BY_NAME.keys()].find((name) => displayCategory(name) === display);
}

/**
 * A show: the podcast in another language, or a separate series. Shows are an extension of the interface. Episodes
 * refer to shows by slug. Null fields are inherited from the podcast.
 */
export const podcastShow = z
  .object({
    id: looseInteger,
    slug: z.string().describe('Slug, referenced by episodes'),
    guid: z.string().describe('Podcast guid for directories; permanent'),
    title: z.string(),
    subtitle: textOrNull,
    summary: textOrNull,
    language: textOrNull.describe('Code such as de-AT'),
    image: textOrNull.describe('URL of the cover'),
    category: z.string().describe('Category as shown in directories, such as `Arts > Books`'),
    author_name: textOrNull,
    podcast_email: textOrNull.describe('E-mail address of the owner, as in the feed'),
    explicit: z.boolean(),
    copyright: textOrNull,
    funding_url: textOrNull,
    funding_label: textOrNull,
    license_name: textOrNull,
    license_url: textOrNull,
    itunes_type: itunesType,
  })
  .meta({ title: 'podcast-show' });

const choiceError = { error: 'is neither empty nor one of these' };

/** Writable fields of a show; an empty text clears a field. */
const podcastShowBody = z.object({
  slug: shortText
    .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, { error: 'may contain only a-z, 0-9 and single dashes' })
    .optional()
    .describe('Slug, referenced by episodes; generated from the title if omitted'),
  guid: shortText.min(1).optional().describe('Podcast guid for directories'),
  title: shortText.min(1).optional().describe('Title; required for new shows'),
  subtitle: shortText.optional().describe('Subtitle'),
  summary: longText.optional().describe('Summary'),
  language: z
    .union([podcastLanguage, z.literal('')], choiceError)
    .optional()
    .describe('Language code'),
  image: clearableAddress.optional().describe('URL of a square image, 1400 to 3000 pixels wide'),
  category: z
    .union([podcastCategory, z.literal('')], choiceError)
    .optional()
    .describe('Category name, without its parent'),
  author_name: shortText.optional().describe('Name of the author'),
  podcast_email: z
    .union([z.email(), z.literal('')], { error: 'is not an e-mail address' })
    .optional()
    .describe('E-mail address of the owner'),
  explicit: wireBoolean.optional().describe('Whether the content is explicit'),
  copyright: shortText.optional().describe('Copyright notice'),
  funding_url: clearableAddress.optional().describe('Funding URL'),
  funding_label: shortText.optional().describe('Label of the funding link'),
  license_name: shortText.optional().describe('License name'),
  license_url: clearableAddress.optional().describe('License URL'),
  itunes_type: itunesType.optional().describe('Whether episodes are independent or serial'),
});

export const {
  list: listPodcastShows,
  get: getPodcastShow,
  create: createPodcastShow,
  update: updatePodcastShow,
  remove: deletePodcastShow,
} = resourceRoutes(
  {
    path: 'podcast/v2/shows',
    params: z.object({ id: wireInteger().describe('Id of the show') }),
    access: 'public',
    resource: podcastShow,
  },
  {
    list: {
      summary: 'Shows of the podcast, by title',
      response: z.object({ _version: z.literal('v2'), results: z.array(podcastShow) }),
    },
    get: { summary: 'A show', errors: NOT_FOUND },
    create: { summary: 'Creates a show', body: podcastShowBody },
    update: { summary: 'Updates a show', body: podcastShowBody, errors: NOT_FOUND },
    remove: {
      summary: 'Permanently deletes a show; its episodes remain without a show',
      response: okResponse,
      errors: NOT_FOUND,
    },
  },
);

export type PodcastShow = z.output<typeof podcastShow>;
export type PodcastShowBody = z.output<typeof podcastShowBody>;
