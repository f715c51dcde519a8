import { z } from 'zod';
import { wireBoolean, wireDateTime, wireInteger, wireText } from '../wire.ts';
import { MEDIA_ACTIONS } from './errors.ts';
import { address, field, links, looseMap, renderedText, imageModifier, imageModifierDescribed } from './field.ts';
import { IMAGE_SIZE_NAMES } from './image-sizes.ts';
import { contentHead, contentIdentity, contentTail, discussion, openOrClosed, template } from './post.ts';
import { MAX_LINE_LENGTH, MAX_NAME_LENGTH, writeBody, mapInput, textInput, titleInput } from './write-body.ts';

/** Maximum size of an uploaded file. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/** Statuses for filters of media collections. */
export const mediaStatusFilter = z.enum(['inherit', 'private', 'trash']);

/** Writable statuses of a media item. */
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
const qualities = looseMap(quality).meta({
  properties: Object.fromEntries(IMAGE_SIZE_NAMES.map((name) => [name, { type: 'integer', minimum: 1, maximum: 100 }])),
});

/** A media item (`core/v2/media`), section 2.3. */
export const media = z
  .object({
    ...contentHead,
    ...contentIdentity,
    status: field('ve', z.string().meta({ enum: mediaStatus.options }), { description: 'Status' }),
    author: field('vem', z.int(), { description: 'Id of the uploader' }),
    featured_media: field('vem', z.int().optional(), { description: 'Id of the featured media item' }),
    ...discussion,
    template,
    meta: field('ve', looseMap(z.unknown()).meta({ properties: {} }), { description: 'Meta fields' }),
    ...contentTail,
    description: renderedText('ve', 'Description'),
    caption: renderedText('vem', 'Caption'),
    alt_text: field('vem', z.string(), { description: 'Alternative text' }),
    media_type: field('vem', z.enum(['image', 'file']), { description: 'Type of file', readOnly }),
    mime_type: field('vem', z.string(), { description: 'MIME type', readOnly }),
    media_details: field('vem', mediaDetails, {
      description: 'Details of the file, by media type',
      readOnly,
      describedAs: { properties: undefined },
    }),
    post: field('ve', z.int().nullable(), {
      description: 'Id of the post it is attached to',
      describedAs: { type: 'integer' },
    }),
    source_url: field('vem', address, { description: 'URL of the file', readOnly }),
    missing_image_sizes: field('e', z.array(z.string()).optional(), {
      description: 'Sizes that are not generated yet',
      readOnly,
    }),
    filename: field('ve', z.string().optional(), { description: 'Name of the uploaded file', readOnly }),
    filesize: field('ve', z.int().nullish(), { description: 'File size in bytes', readOnly }),
    exif_orientation: field('e', z.int().optional(), { description: 'EXIF orientation; 1 is upright', readOnly }),
    image_output_format: field('e', z.string().nullish(), { description: 'MIME type for conversions', readOnly }),
    image_save_progressive: field('e', z.boolean().optional(), {
      description: 'Whether the image is saved progressively',
      readOnly,
    }),
    image_quality: field('e', z.object({ default: quality, sizes: qualities }).optional(), {
      description: 'Encoding quality, and exceptions by size',
      readOnly,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'attachment', actions: MEDIA_ACTIONS });

export type Media = z.output<typeof media>;

/** Writable fields of a media item. */
export const mediaBody = writeBody(media, {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: wireText(MAX_NAME_LENGTH),
  status: mediaStatus,
  title: titleInput,
  author: wireInteger(),
  featured_media: wireInteger(),
  comment_status: openOrClosed,
  ping_status: openOrClosed,
  meta: mapInput,
  template: z.string(),
  alt_text: wireText(MAX_LINE_LENGTH),
  caption: textInput(),
  description: textInput(),
  post: wireInteger(),
});

/** Writable fields of an upload, with its options. */
export const uploadBody = mediaBody.extend({
  generate_sub_sizes: wireBoolean.default(true).meta({ description: 'Whether to generate image sizes' }),
  convert_format: wireBoolean.default(true).meta({ description: 'Whether to allow image conversion' }),
  url: z.string().optional().meta({ format: 'uri', description: 'URL of an image to import instead of a file' }),
});

const percentage = (of: string) =>
  z
    .preprocess(readNumber, z.number().min(0).max(100))
    .optional()
    .meta({ description: `${of}, in percent` });
/** Edits of an image: `modifiers` in order, or the older fields for one rotation and one crop. */
export const editBody = z.object({
  src: z.string().meta({ format: 'uri', description: 'URL of the image or one of its sizes' }),
  modifiers: z
    .array(imageModifier)
    .min(1)
    .optional()
    .meta({ description: 'Edits, in order', describedAs: { items: imageModifierDescribed } }),
  rotation: z
    .preprocess(readNumber, z.int().gt(0).lt(360))
    .optional()
    .meta({ description: 'Rotation in degrees, clockwise; prefer `modifiers`' }),
  x: percentage('Left edge of a crop'),
  y: percentage('Upper edge of a crop'),
  width: percentage('Width of a crop'),
  height: percentage('Height of a crop'),
  ...writeBody(media, {
    caption: textInput(),
    description: textInput(),
    title: titleInput,
    post: wireInteger(),
    alt_text: wireText(MAX_LINE_LENGTH),
  }).shape,
});

export const postProcessBody = z.object({ action: z.enum(['create-image-subsizes']) });

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
