import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean } from '../wire.ts';
import { done, longText, looseInteger, shortText, textOrNull } from './answers.ts';
import { podcastLanguage } from './language.ts';
import { clearableAddress, webAddress } from './web-address.ts';

/**
 * Categories of podcast directories (https://podcasters.apple.com/support/1691-apple-podcasts-categories), top ones
 * with those below them, as callers write them.
 */
const CATEGORIES = {
  Arts: ['Design', 'Fashion and Beauty', 'Food', 'Books', 'Performing Arts', 'Visual Arts'],
  Business: ['Careers', 'Investing', 'Management', 'Entrepreneurship', 'Marketing', 'Non-Profit'],
  Comedy: ['Comedy Interviews', 'Improv', 'Stand-Up'],
  Education: ['Language Learning', 'Courses', 'How To', 'Self-Improvement'],
  Fiction: ['Comedy Fiction', 'Drama', 'Science Fiction'],
  Government: [],
  History: [],
  'Health and Fitness': ['Alternative Health', 'Fitness', 'Sexuality', 'Medicine', 'Mental Health', 'Nutrition'],
  'Kids and Family': ['Education for Kids', 'Parenting', 'Pets and Animals', 'Stories for Kids'],
  Leisure: [
    'Animation and Manga',
    'Automotive',
    'Aviation',
    'Crafts',
    'Games',
    'Hobbies',
    'Home and Garden',
    'Video Games',
  ],
  Music: ['Music Commentary', 'Music History', 'Music Interviews'],
  News: [
    'Business News',
    'Daily News',
    'Entertainment News',
    'News Commentary',
    'Politics',
    'Sports News',
    'Tech News',
  ],
  'Religion and Spirituality': ['Buddhism', 'Christianity', 'Hinduism', 'Islam', 'Judaism', 'Religion', 'Spirituality'],
  Science: [
    'Natural Sciences',
    'Social Sciences',
    'Astronomy',
    'Chemistry',
    'Earth Sciences',
    'Life Sciences',
    'Mathematics',
    'Nature',
    'Physics',
  ],
  'Society and Culture': ['Personal Journals', 'Philosophy', 'Places and Travel', 'Relationships', 'Documentary'],
  Sports: [
    'Baseball',
    'Basketball',
    'Cricket',
    'Fantasy Sports',
    'Football',
    'Golf',
    'Hockey',
    'Rugby',
    'Running',
    'Soccer',
    'Swimming',
    'Tennis',
    'Volleyball',
    'Wilderness',
    'Wrestling',
  ],
  Technology: [],
  'True Crime': [],
  'TV and Film': ['After Shows', 'Film History', 'Film Interviews', 'Film Reviews', 'TV Reviews'],
} as const;

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
  [...BY_NAME].map(([name, category]) => [displayed(category), name]),
);

/** A category as callers write it: its own name alone. */
export const podcastCategory = z.enum([...BY_NAME.keys()]);

const itunesType = z.enum(['episodic', 'serial']).nullable();

/** What both versions answer of the podcast, in wire order. */
const recordHead = {
  title: textOrNull,
  subtitle: textOrNull,
  summary: textOrNull,
  mnemonic: textOrNull.meta({ description: 'Short name that numbers of episodes begin with' }),
  itunes_type: itunesType.meta({ description: 'Whether episodes are heard in any order or from the first one' }),
  author_name: textOrNull,
};
const recordTail = {
  poster: textOrNull.meta({ description: 'Address of its cover, 500 pixels wide' }),
  link: z.string().meta({ description: 'Address of its page' }),
};

/** The podcast as version 1 answers it: "show" is the podcast itself. */
export const show = z.object({ _version: z.literal('v1'), ...recordHead, ...recordTail }).meta({ title: 'show' });

/** The podcast (`podcast/v2/podcast`), section 2.5. */
export const podcast = z
  .object({
    _version: z.literal('v2'),
    guid: textOrNull.meta({ description: 'Podcast guid, by which directories know it; it never changes' }),
    ...recordHead,
    podcast_email: textOrNull.meta({ description: 'E-mail address of the owner, as the feed has it' }),
    ...recordTail,
    funding_url: textOrNull,
    funding_label: textOrNull,
    copyright: z.string(),
    explicit: z.boolean(),
    category: z.string().meta({ description: 'As directories show it, such as `Arts > Books`' }),
    language: z.string().meta({ description: 'Name of the language, such as `German - Austria`' }),
    license_url: textOrNull,
    license_name: textOrNull,
    feeds: z.array(z.record(z.string(), z.string())).meta({ description: 'Slug of each feed with its address' }),
  })
  .meta({ title: 'podcast' });

/** What may be written of the podcast. Texts can be emptied, addresses can not. */
export const podcastBody = z.object({
  guid: shortText.min(1).optional().meta({ description: 'Podcast guid, by which directories know it' }),
  title: shortText.optional().meta({ description: 'Name of the podcast' }),
  subtitle: shortText.optional().meta({ description: 'A line below the name' }),
  summary: longText.optional().meta({ description: 'What it is about' }),
  author_name: shortText.optional().meta({ description: 'Who makes it' }),
  cover_image: webAddress.optional().meta({ description: 'Address of a square picture, 1400 to 3000 pixels wide' }),
  // Of a wrong one no more is said than that, as of addresses.
  podcast_email: z
    .string()
    .refine((text) => z.email().safeParse(text).success, { error: 'is no e-mail address' })
    .optional()
    .meta({ format: 'email', description: 'Address of the owner' }),
  mnemonic: shortText.optional().meta({ description: 'Short name that numbers of episodes begin with' }),
  funding_url: webAddress.optional().meta({ description: 'Where it can be supported' }),
  funding_label: shortText.optional().meta({ description: 'What the link to there is called' }),
  copyright: shortText.optional().meta({ description: 'Who owns it; the author where nothing is said' }),
  explicit: wireBoolean.optional().meta({ description: 'Whether it is not for children' }),
  category: podcastCategory.optional().meta({ description: 'Its own name, without the one above it' }),
  language: podcastLanguage.optional().meta({ description: 'Its code' }),
  license_name: shortText.optional().meta({ description: 'Name of its license' }),
  license_url: clearableAddress.optional().meta({ description: 'Address of its license' }),
  /** Beyond the interface: others leave it to who writes. */
  read_durations: wireBoolean
    .optional()
    .meta({ description: 'Whether episodes that nobody gave a duration get that of their file' }),
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
    .meta({ description: 'What its files are; missing for a feed without files' }),
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
  summary: 'Changes what is sent of the podcast',
  access: 'user',
  body: podcastBody,
  response: done,
});
export const listFeeds = route({
  method: 'GET',
  path: 'podcast/v2/feeds',
  summary: 'Feeds that directories and apps may find',
  access: 'public',
  response: z.object({ _version: z.literal('v2'), results: z.array(podcastFeed) }),
});

/** A category as directories name it. */
export interface DirectoryCategory {
  top: string;
  /** The one below it. */
  leaf?: string;
}

/** How a directory, or a feed for it, names a category; undefined for a name that is none. */
export function directoryCategory(name: string): DirectoryCategory | undefined {
  return BY_NAME.get(name);
}

/** A category as it is answered: `Arts > Fashion & Beauty`, empty for none. */
export function displayCategory(name: string | undefined): string {
  const category = name === undefined ? undefined : BY_NAME.get(name);
  return category ? displayed(category) : '';
}

/** The name by which an answered category is written; undefined for the empty text and for others. */
export function categoryOfDisplay(display: string): string | undefined {
  return BY_DISPLAY.get(display);
}

function displayed({ top, leaf }: DirectoryCategory): string {
  return leaf === undefined ? top : `${top} > ${leaf}`;
}
