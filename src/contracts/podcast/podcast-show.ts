import { z } from 'zod';
import { resourceRoutes } from '../resource-routes.ts';
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

export const {
  list: listPodcastShows,
  get: getPodcastShow,
  create: createPodcastShow,
  update: updatePodcastShow,
  remove: deletePodcastShow,
} = resourceRoutes(
  {
    path: 'podcast/v2/shows',
    params: z.object({ id: wireInteger().meta({ description: 'Id of the show' }) }),
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
