import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean } from '../wire.ts';
import { okResponse, longText, looseInteger, shortText, textOrNull } from './shared-schemas.ts';
import { podcastLanguage } from './language.ts';
import { clearableAddress, webAddress } from './web-address.ts';
import categories from './categories.json' with { type: 'json' };

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

const BY_DISPLAY: ReadonlyMap<string, string> = new Map(
  [...BY_NAME].map(([name, category]) => [formatCategory(category), name]),
);

/** Category name in requests, without its parent. */
export const podcastCategory = z.enum([...BY_NAME.keys()]);

const itunesType = z.enum(['episodic', 'serial']).nullable();

/** Fields of the podcast in both versions, in response order. */
const recordHead = {
  title: textOrNull,
  subtitle: textOrNull,
  summary: textOrNull,
  mnemonic: textOrNull.meta({ description: 'Short name, used as prefix of episode numbers' }),
  itunes_type: itunesType.meta({ description: 'Whether episodes are independent or serial' }),
  author_name: textOrNull,
};
const recordTail = {
  poster: textOrNull.meta({ description: 'URL of the cover, 500 pixels wide' }),
  link: z.string().meta({ description: 'URL of the podcast page' }),
};

/** The podcast in version 1, where "show" is the podcast itself. */
export const show = z.object({ _version: z.literal('v1'), ...recordHead, ...recordTail }).meta({ title: 'show' });

/** The podcast (`podcast/v2/podcast`), section 2.5. */
export const podcast = z
  .object({
    _version: z.literal('v2'),
    guid: textOrNull.meta({ description: 'Podcast guid for directories; permanent' }),
    ...recordHead,
    podcast_email: textOrNull.meta({ description: 'E-mail address of the owner, as in the feed' }),
    ...recordTail,
    funding_url: textOrNull,
    funding_label: textOrNull,
    copyright: z.string(),
    explicit: z.boolean(),
    category: z.string().meta({ description: 'Category as shown in directories, such as `Arts > Books`' }),
    language: z.string().meta({ description: 'Name of the language, such as `German - Austria`' }),
    license_url: textOrNull,
    license_name: textOrNull,
    feeds: z.array(z.record(z.string(), z.string())).meta({ description: 'Slug and URL of each feed' }),
  })
  .meta({ title: 'podcast' });

/** Writable fields of the podcast. Texts can be cleared, URLs can't. */
export const podcastBody = z.object({
  guid: shortText.min(1).optional().meta({ description: 'Podcast guid for directories' }),
  title: shortText.optional().meta({ description: 'Title' }),
  subtitle: shortText.optional().meta({ description: 'Subtitle' }),
  summary: longText.optional().meta({ description: 'Summary' }),
  author_name: shortText.optional().meta({ description: 'Name of the author' }),
  cover_image: webAddress.optional().meta({ description: 'URL of a square image, 1400 to 3000 pixels wide' }),
  // Reports only that the address is invalid, as for URLs.
  podcast_email: z
    .string()
    .refine((text) => z.email().safeParse(text).success, { error: 'is not an e-mail address' })
    .optional()
    .meta({ format: 'email', description: 'E-mail address of the owner' }),
  mnemonic: shortText.optional().meta({ description: 'Short name, used as prefix of episode numbers' }),
  funding_url: webAddress.optional().meta({ description: 'Funding URL' }),
  funding_label: shortText.optional().meta({ description: 'Label of the funding link' }),
  copyright: shortText.optional().meta({ description: 'Copyright notice; the author by default' }),
  explicit: wireBoolean.optional().meta({ description: 'Whether the content is explicit' }),
  category: podcastCategory.optional().meta({ description: 'Category name, without its parent' }),
  language: podcastLanguage.optional().meta({ description: 'Language code' }),
  license_name: shortText.optional().meta({ description: 'License name' }),
  license_url: clearableAddress.optional().meta({ description: 'License URL' }),
  /** Extension of the interface: other servers require a duration from the client. */
  read_durations: wireBoolean
    .optional()
    .meta({ description: 'Whether to fill in missing durations from the audio files' }),
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
    .meta({ description: 'Type of the files; missing for a feed without files' }),
});

export type Podcast = z.output<typeof podcast>;

export const getShow = route({
  method: 'GET',
  path: 'podcast/v1/show',
  summary: 'The podcast',
  access: 'public',
  response: show,
});
export const getPodcast = route({
  method: 'GET',
  path: 'podcast/v2/podcast',
  summary: 'The podcast',
  access: 'public',
  response: podcast,
});
export const updatePodcast = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'podcast/v2/podcast',
  summary: 'Updates the podcast',
  access: 'user',
  body: podcastBody,
  response: okResponse,
});
export const listFeeds = route({
  method: 'GET',
  path: 'podcast/v2/feeds',
  summary: 'Discoverable feeds',
  access: 'public',
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
  const category = name === undefined ? undefined : BY_NAME.get(name);
  return category ? formatCategory(category) : '';
}

/** Returns the request name of a formatted category; undefined for an empty or unknown one. */
export function parseDisplayCategory(display: string): string | undefined {
  return BY_DISPLAY.get(display);
}

function formatCategory({ top, leaf }: DirectoryCategory): string {
  return leaf === undefined ? top : `${top} > ${leaf}`;
}
