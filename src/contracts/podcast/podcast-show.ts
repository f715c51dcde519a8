import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean, wireInteger } from '../wire.ts';
import { okResponse, longText, looseInteger, NOT_FOUND, shortText, textOrNull } from './shared-schemas.ts';
import { podcastLanguage } from './language.ts';
import { podcastCategory } from './record.ts';
import { clearableAddress } from './web-address.ts';

/**
 * A show: the podcast in another language, or a separate series. Shows are an extension of the interface. Episodes
 * refer to shows by slug. Null fields are inherited from the podcast.
 */
export const podcastShow = z
  .object({
    id: looseInteger,
    slug: z.string().meta({ description: 'Slug, referenced by episodes' }),
    guid: z.string().meta({ description: 'Podcast guid for directories; permanent' }),
    title: z.string(),
    subtitle: textOrNull,
    summary: textOrNull,
    language: textOrNull.meta({ description: 'Code such as de-AT' }),
    image: textOrNull.meta({ description: 'URL of the cover' }),
    category: z.string().meta({ description: 'Category as shown in directories, such as `Arts > Books`' }),
    author_name: textOrNull,
    podcast_email: textOrNull.meta({ description: 'E-mail address of the owner, as in the feed' }),
    explicit: z.boolean(),
    copyright: textOrNull,
    funding_url: textOrNull,
    funding_label: textOrNull,
    license_name: textOrNull,
    license_url: textOrNull,
    itunes_type: z.enum(['episodic', 'serial']).nullable(),
  })
  .meta({ title: 'podcast-show' });

const choiceError = { error: 'is neither empty nor one of these' };

/** Writable fields of a show; an empty text clears a field. */
export const podcastShowBody = z.object({
  slug: shortText
    .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, { error: 'may contain only a-z, 0-9 and single dashes' })
    .optional()
    .meta({ description: 'Slug, referenced by episodes; generated from the title if omitted' }),
  guid: shortText.min(1).optional().meta({ description: 'Podcast guid for directories' }),
  title: shortText.min(1).optional().meta({ description: 'Title; required for new shows' }),
  subtitle: shortText.optional().meta({ description: 'Subtitle' }),
  summary: longText.optional().meta({ description: 'Summary' }),
  language: z
    .union([podcastLanguage, z.literal('')], choiceError)
    .optional()
    .meta({ description: 'Language code' }),
  image: clearableAddress.optional().meta({ description: 'URL of a square image, 1400 to 3000 pixels wide' }),
  category: z
    .union([podcastCategory, z.literal('')], choiceError)
    .optional()
    .meta({ description: 'Category name, without its parent' }),
  author_name: shortText.optional().meta({ description: 'Name of the author' }),
  podcast_email: z
    .union([z.email(), z.literal('')], { error: 'is not an e-mail address' })
    .optional()
    .meta({ description: 'E-mail address of the owner' }),
  explicit: wireBoolean.optional().meta({ description: 'Whether the content is explicit' }),
  copyright: shortText.optional().meta({ description: 'Copyright notice' }),
  funding_url: clearableAddress.optional().meta({ description: 'Funding URL' }),
  funding_label: shortText.optional().meta({ description: 'Label of the funding link' }),
  license_name: shortText.optional().meta({ description: 'License name' }),
  license_url: clearableAddress.optional().meta({ description: 'License URL' }),
  itunes_type: z
    .enum(['episodic', 'serial'])
    .nullable()
    .optional()
    .meta({ description: 'Whether episodes are independent or serial' }),
});

const PATH = 'podcast/v2/shows';
const params = z.object({ id: wireInteger().meta({ description: 'Id of the show' }) });
const showRoute = { path: `${PATH}/<id>`, params, errors: NOT_FOUND } as const;

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
  summary: 'Creates a show',
  access: 'user',
  body: podcastShowBody,
  response: podcastShow,
});
export const getPodcastShow = route({
  ...showRoute,
  method: 'GET',
  summary: 'A show',
  access: 'public',
  response: podcastShow,
});
export const updatePodcastShow = route({
  ...showRoute,
  method: 'POST',
  also: ['PUT', 'PATCH'],
  summary: 'Updates a show',
  access: 'user',
  body: podcastShowBody,
  response: podcastShow,
});
export const deletePodcastShow = route({
  ...showRoute,
  method: 'DELETE',
  summary: 'Permanently deletes a show; its episodes remain without a show',
  access: 'user',
  response: okResponse,
});

export type PodcastShow = z.output<typeof podcastShow>;
export type PodcastShowBody = z.output<typeof podcastShowBody>;
