import { z } from 'zod';
import { address, field, links, looseMap, renderedText } from './field.ts';
import { contentHead, contentIdentity, contentTail, discussion, template } from './post.ts';

/** What a list of media may be filtered by. */
export const mediaStatusFilter = z.enum(['inherit', 'private', 'trash']);

/** Writable statuses of a medium. */
export const mediaStatus = z.enum(['publish', 'future', 'draft', 'pending', 'private']);

export const mediaType = z.enum(['image', 'video', 'text', 'application', 'audio']);

const imageSize = z.looseObject({
  file: z.string(),
  width: z.int(),
  height: z.int(),
  filesize: z.int().optional(),
  mime_type: z.string(),
  source_url: z.string(),
});

export const mediaDetails = z.looseObject({
  width: z.int().optional(),
  height: z.int().optional(),
  file: z.string().optional(),
  filesize: z.int().optional(),
  sizes: z.union([z.record(z.string(), imageSize), z.tuple([])]).optional(),
});

const readOnly = true;
const quality = z.int().min(1).max(100);

/** A medium (`core/v2/media`), section 2.3. */
export const media = z
  .object({
    ...contentHead,
    ...contentIdentity,
    status: field('ve', z.string().meta({ enum: mediaStatus.options }), { description: 'Status' }),
    author: field('vem', z.int(), { description: 'Id of who uploaded it' }),
    featured_media: field('vem', z.int().optional(), { description: 'Id of the medium that stands for it' }),
    ...discussion,
    template,
    meta: field('ve', looseMap(z.unknown()), { description: 'Values by name' }),
    ...contentTail,
    description: renderedText('ve', 'Description'),
    caption: renderedText('vem', 'Caption'),
    alt_text: field('vem', z.string(), { description: 'Text that stands for it where it can not be seen' }),
    media_type: field('vem', z.enum(['image', 'file']), { description: 'Kind of file', readOnly }),
    mime_type: field('vem', z.string(), { description: 'MIME type', readOnly }),
    media_details: field('vem', mediaDetails, { description: 'Measures of the file, by kind', readOnly }),
    post: field('ve', z.int().nullable(), { description: 'Id of the post it is attached to' }),
    source_url: field('vem', address, { description: 'Address of the file', readOnly }),
    missing_image_sizes: field('e', z.array(z.string()).optional(), {
      description: 'Sizes still to be made',
      readOnly,
    }),
    filename: field('ve', z.string().optional(), { description: 'Name of the uploaded file', readOnly }),
    filesize: field('ve', z.int().nullish(), { description: 'Its bytes', readOnly }),
    exif_orientation: field('e', z.int().optional(), { description: 'Orientation by EXIF, 1 is upright', readOnly }),
    image_output_format: field('e', z.string().nullish(), { description: 'Type it would be converted to', readOnly }),
    image_save_progressive: field('e', z.boolean().optional(), {
      description: 'Whether saved progressively',
      readOnly,
    }),
    image_quality: field('e', z.object({ default: quality, sizes: looseMap(quality) }).optional(), {
      description: 'Quality of encoding, and where a size differs from it',
      readOnly,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'attachment' });

export type Media = z.output<typeof media>;
