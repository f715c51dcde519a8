import { z } from 'zod';
import { wireBoolean, wireDateTime, wireInteger, wireText } from '../wire.ts';
import { MEDIA_ACTIONS } from './actions.ts';
import { address, field, links, looseMap, renderedText } from './field.ts';
import { IMAGE_SIZE_NAMES } from './image-sizes.ts';
import { imageModifier, imageModifierDescribed } from './image-modifiers.ts';
import { contentHead, contentIdentity, contentTail, discussion, openOrClosed, template } from './post.ts';
import { MAX_LINE_LENGTH, MAX_NAME_LENGTH, writeBody, writtenMap, writtenText, writtenTitle } from './write-body.ts';

/** What a file may measure. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/** What a list of media may be filtered by. */
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
    author: field('vem', z.int(), { description: 'Id of who uploaded it' }),
    featured_media: field('vem', z.int().optional(), { description: 'Id of the media item that stands for it' }),
    ...discussion,
    template,
    meta: field('ve', looseMap(z.unknown()).meta({ properties: {} }), { description: 'Values by name' }),
    ...contentTail,
    description: renderedText('ve', 'Description'),
    caption: renderedText('vem', 'Caption'),
    alt_text: field('vem', z.string(), { description: 'Text that stands for it where it can not be seen' }),
    media_type: field('vem', z.enum(['image', 'file']), { description: 'Kind of file', readOnly }),
    mime_type: field('vem', z.string(), { description: 'MIME type', readOnly }),
    media_details: field('vem', mediaDetails, {
      description: 'Measures of the file, by kind',
      readOnly,
      describedAs: { properties: undefined },
    }),
    post: field('ve', z.int().nullable(), {
      description: 'Id of the post it is attached to',
      describedAs: { type: 'integer' },
    }),
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
    image_quality: field('e', z.object({ default: quality, sizes: qualities }).optional(), {
      description: 'Quality of encoding, and where a size differs from it',
      readOnly,
    }),
    _links: links.optional(),
  })
  .meta({ title: 'attachment', actions: MEDIA_ACTIONS });

export type Media = z.output<typeof media>;

/** What may be written of a media item, in the forms in which the wire takes it. */
export const mediaBody = writeBody(media, {
  date: wireDateTime.nullable(),
  date_gmt: wireDateTime.nullable(),
  slug: wireText(MAX_NAME_LENGTH),
  status: mediaStatus,
  title: writtenTitle,
  author: wireInteger(),
  featured_media: wireInteger(),
  comment_status: openOrClosed,
  ping_status: openOrClosed,
  meta: writtenMap,
  template: z.string(),
  alt_text: wireText(MAX_LINE_LENGTH),
  caption: writtenText(),
  description: writtenText(),
  post: wireInteger(),
});

/** The same with what only counts when a file comes. */
export const uploadBody = mediaBody.extend({
  generate_sub_sizes: wireBoolean.default(true).meta({ description: 'Whether the sizes of a picture are made' }),
  convert_format: wireBoolean.default(true).meta({ description: 'Whether pictures may be converted to another type' }),
  url: z
    .string()
    .optional()
    .meta({ format: 'uri', description: 'Address of a picture that is taken instead of a file' }),
});

const percentage = (of: string) =>
  z
    .preprocess(readNumber, z.number().min(0).max(100))
    .optional()
    .meta({ description: `${of}, in percent` });
/** How a picture is edited: `modifiers` in their order, or the older fields for one turn and one crop. */
export const editBody = z.object({
  src: z.string().meta({ format: 'uri', description: 'Address of the picture or of one of its sizes' }),
  modifiers: z
    .array(imageModifier)
    .min(1)
    .optional()
    .meta({ description: 'Edits, in order', describedAs: { items: imageModifierDescribed } }),
  rotation: z
    .preprocess(readNumber, z.int().gt(0).lt(360))
    .optional()
    .meta({ description: 'Degrees, clockwise; `modifiers` say more' }),
  x: percentage('Left edge of a crop'),
  y: percentage('Upper edge of a crop'),
  width: percentage('Width of a crop'),
  height: percentage('Height of a crop'),
  ...writeBody(media, {
    caption: writtenText(),
    description: writtenText(),
    title: writtenTitle,
    post: wireInteger(),
    alt_text: wireText(MAX_LINE_LENGTH),
  }).shape,
});

export const postProcessBody = z.object({ action: z.enum(['create-image-subsizes']) });

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
