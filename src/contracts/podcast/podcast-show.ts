import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean, wireInteger } from '../wire.ts';
import { done, longText, looseInteger, NOT_FOUND, shortText, textOrNull } from './answers.ts';
import { podcastLanguage } from './language.ts';
import { podcastCategory } from './record.ts';
import { clearableAddress } from './web-address.ts';

/**
 * Shows, an addition of ours: the podcast in another language, or a series of its own. Episodes name theirs by its
 * slug. What is null of a show is as the podcast has it.
 */
export const podcastShow = z
  .object({
    id: looseInteger,
    slug: z.string().meta({ description: 'Slug, which episodes name' }),
    guid: z.string().meta({ description: 'Podcast guid, by which directories know it; it never changes' }),
    title: z.string(),
    subtitle: textOrNull,
    summary: textOrNull,
    language: textOrNull.meta({ description: 'Code such as de-AT' }),
    image: textOrNull.meta({ description: 'Address of its cover' }),
    category: z.string().meta({ description: 'As directories show it, such as `Arts > Books`' }),
    author_name: textOrNull,
    podcast_email: textOrNull.meta({ description: 'E-mail address of the owner, as the feed has it' }),
    explicit: z.boolean(),
    copyright: textOrNull,
    funding_url: textOrNull,
    funding_label: textOrNull,
    license_name: textOrNull,
    license_url: textOrNull,
    itunes_type: z.enum(['episodic', 'serial']).nullable(),
  })
  .meta({ title: 'podcast-show' });

const emptiedBy = { error: 'is neither empty nor one of these' };

/** Writable fields of a show; an empty text clears a field. */
export const podcastShowBody = z.object({
  slug: shortText
    .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, { error: 'is not made of a-z, 0-9 and single dashes' })
    .optional()
    .meta({ description: 'Slug, which episodes name; made from the title where none is sent' }),
  guid: shortText.min(1).optional().meta({ description: 'Podcast guid, by which directories know it' }),
  title: shortText.min(1).optional().meta({ description: 'Name of the show; needed for a new one' }),
  subtitle: shortText.optional().meta({ description: 'A line below the name' }),
  summary: longText.optional().meta({ description: 'What it is about' }),
  language: z
    .union([podcastLanguage, z.literal('')], emptiedBy)
    .optional()
    .meta({ description: 'Its code' }),
  image: clearableAddress.optional().meta({ description: 'Address of a square picture, 1400 to 3000 pixels wide' }),
  category: z
    .union([podcastCategory, z.literal('')], emptiedBy)
    .optional()
    .meta({ description: 'Its own name, without the one above it' }),
  author_name: shortText.optional().meta({ description: 'Who makes it' }),
  podcast_email: z
    .union([z.email(), z.literal('')], { error: 'is no e-mail address' })
    .optional()
    .meta({ description: 'Address of the owner' }),
  explicit: wireBoolean.optional().meta({ description: 'Whether it is not for children' }),
  copyright: shortText.optional().meta({ description: 'Who owns it' }),
  funding_url: clearableAddress.optional().meta({ description: 'Address where listeners can support it' }),
  funding_label: shortText.optional().meta({ description: 'Label of that link' }),
  license_name: shortText.optional().meta({ description: 'Name of its license' }),
  license_url: clearableAddress.optional().meta({ description: 'Address of its license' }),
  itunes_type: z
    .enum(['episodic', 'serial'])
    .nullable()
    .optional()
    .meta({ description: 'Whether episodes are heard in any order or from the first one' }),
});

const PATH = 'podcast/v2/shows';
const params = z.object({ id: wireInteger().meta({ description: 'Id of the show' }) });
const one = { path: `${PATH}/<id>`, params, errors: NOT_FOUND } as const;

export const listPodcastShows = route({
  method: 'GET',
  path: PATH,
  summary: 'Shows of the podcast, by title',
  access: 'public',
  response: z.object({ _version: z.literal('v2'), results: z.array(podcastShow) }),
});
export const createPodcastShow = route({
  method: 'POST',
  path: PATH,
  summary: 'Adds a show',
  access: 'user',
  body: podcastShowBody,
  response: podcastShow,
});
export const getPodcastShow = route({
  ...one,
  method: 'GET',
  summary: 'A show',
  access: 'public',
  response: podcastShow,
});
export const updatePodcastShow = route({
  ...one,
  method: 'POST',
  also: ['PUT', 'PATCH'],
  summary: 'Changes what is sent of a show',
  access: 'user',
  body: podcastShowBody,
  response: podcastShow,
});
export const deletePodcastShow = route({
  ...one,
  method: 'DELETE',
  summary: 'Deletes a show for good; its episodes stay, without a show',
  access: 'user',
  response: done,
});

export type PodcastShow = z.output<typeof podcastShow>;
export type PodcastShowBody = z.output<typeof podcastShowBody>;
