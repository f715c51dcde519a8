import { z } from 'zod';
import { readNumber, wireBoolean, wireDateTime, wireInteger, wireText } from '../wire.ts';
import { MEDIA_ACTIONS } from './errors.ts';
import {
  address,
  field,
  links,
  looseMap,
  renderedText,
  imageModifier,
  imageModifierDescribed,
  readOnlyField,
  MAX_LINE_LENGTH,
  MAX_NAME_LENGTH,
  writeBody,
  mapInput,
  textInput,
  titleInput,
} from './field.ts';
import { IMAGE_SIZE_NAMES } from './image-sizes.ts';
import { contentHead, contentIdentity, contentTail, discussion, openOrClosed, template } from './post.ts';

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

const quality = z.int().min(1).max(100);
const qualities = looseMap(quality).meta({
  properties: Object.fromEntries(IMAGE_SIZE_NAMES.map((name) => [name, { type: 'integer', minimum: 1, maximum: 100 }])),
});

/** A media item (`core/v2/media`), section 2.3. */
export const media = z
  .object({
    ...contentHead,
    ...contentIdentity,
    status: field('ve', z.string().meta({ enum: mediaStatus.options }), 'Status'),
    author: field('vem', z.int(), 'Id of the uploader'),
    featured_media: field('vem', z.int().optional(), 'Id of the featured media item'),
    ...discussion,
    template,
    meta: field('ve', looseMap(z.unknown()).meta({ properties: {} }), 'Meta fields'),
    ...contentTail,
    description: renderedText('ve', 'Description'),
    caption: renderedText('vem', 'Caption'),
    alt_text: field('vem', z.string(), 'Alternative text'),
    media_type: readOnlyField('vem', z.enum(['image', 'file']), 'Type of file'),
    mime_type: readOnlyField('vem', z.string(), 'MIME type'),
    media_details: readOnlyField('vem', mediaDetails, 'Details of the file, by media type', {
      describedAs: { properties: undefined },
    }),
    post: field('ve', z.int().nullable(), 'Id of the post it is attached to', { describedAs: { type: 'integer' } }),
    source_url: readOnlyField('vem', address, 'URL of the file'),
    missing_image_sizes: readOnlyField('e', z.array(z.string()).optional(), 'Sizes that are not generated yet'),
    filename: readOnlyField('ve', z.string().optional(), 'Name of the uploaded file'),
    filesize: readOnlyField('ve', z.int().nullish(), 'File size in bytes'),
    exif_orientation: readOnlyField('e', z.int().optional(), 'EXIF orientation; 1 is upright'),
    image_output_format: readOnlyField('e', z.string().nullish(), 'MIME type for conversions'),
    image_save_progressive: readOnlyField('e', z.boolean().optional(), 'Whether the image is saved progressively'),
    image_quality: readOnlyField(
      'e',
      z.object({ default: quality, sizes: qualities }).optional(),
      'Encoding quality, and exceptions by size',
    ),
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
  generate_sub_sizes: wireBoolean.default(true).describe('Whether to generate image sizes'),
  convert_format: wireBoolean.default(true).describe('Whether to allow image conversion'),
  url: z.string().optional().meta({ format: 'uri', description: 'URL of an image to import instead of a file' }),
});

const percentage = (of: string) =>
  z.preprocess(readNumber, z.number().min(0).max(100)).optional().describe(`${of}, in percent`);
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
    .describe('Rotation in degrees, clockwise; prefer `modifiers`'),
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
