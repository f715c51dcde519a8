import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean } from '../wire.ts';
import { done, longText, looseInteger, shortText, textOrNull } from './answers.ts';
import { podcastCategory } from './category.ts';
import { podcastLanguage } from './language.ts';
import { webAddress } from './web-address.ts';

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
    guid: textOrNull.meta({ description: 'What directories know it by; it never changes' }),
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
  guid: shortText.min(1).optional().meta({ description: 'What directories know it by' }),
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
  license_url: shortText.optional().meta({ description: 'Address of its license' }),
});

/** A feed that everybody may find. */
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
export type PodcastBody = z.output<typeof podcastBody>;
export type PodcastFeed = z.output<typeof podcastFeed>;

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
