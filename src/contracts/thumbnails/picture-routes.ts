import { z } from 'zod';
import { MAX_PER_PAGE } from '../core/index.ts';
import { route } from '../route.ts';
import { MAX_LIST_ITEMS, wireBoolean, wireInteger } from '../wire.ts';

/** What is refused of a picture; `data.attachment` is its media item where there is one. */
export const THUMBNAIL_ERRORS = {
  thumbnails_regenerator_attachment_doesnt_exist: 404,
  thumbnails_regenerator_not_attachment: 400,
  thumbnails_regenerator_is_site_icon: 415,
  thumbnails_regenerator_file_not_found: 404,
  thumbnails_regenerator_no_metadata: 404,
  image_no_editor: 415,
} as const;

const pictureId = z.object({ id: wireInteger().meta({ description: 'Id of the media item' }) });

/** A size that the site makes, or the whole of a document, which is never cropped. */
const registeredSize = z.object({
  label: z.string(),
  width: z.int(),
  height: z.int(),
  crop: z.boolean().optional(),
  /** False where the picture is not larger than the size. */
  filename: z.union([z.string(), z.literal(false)]),
  fileexists: z.boolean(),
});

/** A size that is left from before: its file is there, and nothing asks for it. */
const unregisteredSize = z.object({
  label: z.string(),
  width: z.int(),
  height: z.int(),
  filename: z.string(),
  fileexists: z.literal(true),
});

/** The sizes of a picture: those that are expected, and those that there are. */
export const pictureSizes = z.object({
  name: z.string(),
  /** Address of what can be shown of it. */
  preview: z.union([z.string(), z.literal(false)]),
  /** Path of the original below the uploads folder. */
  relative_path: z.string(),
  /** Page of the editors' view. */
  edit_url: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  registered_sizes: z.array(registeredSize),
  unregistered_sizes: z.array(unregisteredSize),
});
export type PictureSizes = z.output<typeof pictureSizes>;

/** What a regeneration does beside making sizes, of one picture and of many. */
export const regenerationOptions = z.object({
  only_regenerate_missing_thumbnails: wireBoolean
    .default(true)
    .meta({ description: 'Whether sizes that are there and right are left alone' }),
  delete_unregistered_thumbnail_files: wireBoolean
    .default(false)
    .meta({ description: 'Whether files of sizes that are not registered are deleted' }),
  update_usages_in_posts: wireBoolean
    .default(true)
    .meta({ description: 'Whether posts that show the picture get the addresses and measures of its files' }),
});
export type RegenerationOptions = z.output<typeof regenerationOptions>;

export const getPictureSizes = route({
  method: 'GET',
  path: 'thumbnails/v1/attachmentinfo/<id>',
  summary: 'Sizes of a picture: those that are expected, and those that there are',
  access: 'user',
  params: pictureId,
  response: pictureSizes,
  errors: THUMBNAIL_ERRORS,
});

/** All methods do the same, as on other servers: DELETE does not delete the picture. */
export const regeneratePicture = route({
  method: 'GET',
  also: ['POST', 'PUT', 'PATCH', 'DELETE'],
  path: 'thumbnails/v1/regenerate/<id>',
  summary: 'Makes the sizes of a picture from its original, and tells which there are',
  access: 'user',
  params: pictureId,
  query: regenerationOptions.extend({
    update_usages_in_posts_post_type: z
      .array(z.string())
      .max(MAX_LIST_ITEMS)
      .default([])
      .meta({ description: 'Types of the posts that are updated. Default: all that have pages' }),
    update_usages_in_posts_post_ids: z
      .array(wireInteger())
      .max(MAX_LIST_ITEMS)
      .default([])
      .meta({ description: 'Ids of the posts that are updated. Default: all, if sizes of the picture have changed' }),
    update_usages_in_posts_posts_per_loop: wireInteger()
      .default(10)
      .meta({ description: 'Taken as other servers take it; how many posts it looks at in one go, this one chooses' }),
  }),
  response: pictureSizes,
  errors: THUMBNAIL_ERRORS,
});

export const listFeaturedPictures = route({
  method: 'GET',
  path: 'thumbnails/v1/featuredimages',
  summary: 'Pictures that stand for posts, each once',
  access: 'user',
  query: z.object({
    page: wireInteger({ minimum: 1 }).default(1).meta({ description: 'Page of the list' }),
    per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE }).default(10).meta({ description: 'Rows on a page' }),
  }),
  response: z.array(z.object({ id: z.int() })),
  errors: { rest_post_invalid_page_number: 400 },
});
