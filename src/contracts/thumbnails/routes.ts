import { z } from 'zod';
import { pagingQuery } from '../core/collection-query.ts';
import { resourceRoutes, route, readRoute } from '../route.ts';
import { MAX_LIST_ITEMS, wireBoolean, wireInteger } from '../wire.ts';

/** Errors of an image; `data.attachment` is its media item, if any. */
export const THUMBNAIL_ERRORS = {
  thumbnails_regenerator_attachment_doesnt_exist: 404,
  thumbnails_regenerator_not_attachment: 400,
  thumbnails_regenerator_is_site_icon: 415,
  thumbnails_regenerator_file_not_found: 404,
  thumbnails_regenerator_no_metadata: 404,
  image_no_editor: 415,
} as const;

const pictureId = z.object({ id: wireInteger().describe('Id of the media item') });

/** A registered size, or the full size of a document, which is never cropped. */
const registeredSize = z.object({
  label: z.string(),
  width: z.int(),
  height: z.int(),
  crop: z.boolean().optional(),
  /** False if the image is not larger than the size. */
  filename: z.union([z.string(), z.literal(false)]),
  fileexists: z.boolean(),
});

/** A stale size: its file exists, but the size is no longer registered. */
const unregisteredSize = z.object({
  label: z.string(),
  width: z.int(),
  height: z.int(),
  filename: z.string(),
  fileexists: z.literal(true),
});

/** Expected and existing sizes of an image. */
export const pictureSizes = z.object({
  name: z.string(),
  /** URL of a preview. */
  preview: z.union([z.string(), z.literal(false)]),
  /** Path of the original below the uploads folder. */
  relative_path: z.string(),
  /** URL of the edit page. */
  edit_url: z.string().nullable(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  registered_sizes: z.array(registeredSize),
  unregistered_sizes: z.array(unregisteredSize),
});
export type PictureSizes = z.output<typeof pictureSizes>;

/** Options of a regeneration, for one image or a job. */
export const regenerationOptions = z.object({
  only_regenerate_missing_thumbnails: wireBoolean.default(true).describe('Whether to skip existing, correct sizes'),
  delete_unregistered_thumbnail_files: wireBoolean
    .default(false)
    .describe('Whether to delete files of unregistered sizes'),
  update_usages_in_posts: wireBoolean
    .default(true)
    .describe('Whether to update URLs and dimensions in posts that show the image'),
});
export type RegenerationOptions = z.output<typeof regenerationOptions>;

export const getPictureSizes = readRoute('thumbnails/v1/attachmentinfo/<id>', 'user', {
  summary: 'Expected and existing sizes of an image',
  params: pictureId,
  response: pictureSizes,
  errors: THUMBNAIL_ERRORS,
});

/** All methods are equivalent, as on other servers: DELETE does not delete the image. */
export const regeneratePicture = route({
  method: 'GET',
  also: ['POST', 'PUT', 'PATCH', 'DELETE'],
  path: 'thumbnails/v1/regenerate/<id>',
  summary: 'Regenerates the sizes of an image and returns them',
  access: 'user',
  params: pictureId,
  query: regenerationOptions.extend({
    update_usages_in_posts_post_type: z
      .array(z.string())
      .max(MAX_LIST_ITEMS)
      .default([])
      .describe('Post types to update; all public types by default'),
    update_usages_in_posts_post_ids: z
      .array(wireInteger())
      .max(MAX_LIST_ITEMS)
      .default([])
      .describe('Ids of the posts to update; all by default, if sizes of the image have changed'),
    update_usages_in_posts_posts_per_loop: wireInteger().default(10).describe('Accepted for compatibility; ignored'),
  }),
  response: pictureSizes,
  errors: THUMBNAIL_ERRORS,
});

const PAGE_ERRORS = { rest_post_invalid_page_number: 400 } as const;

export const listFeaturedPictures = readRoute('thumbnails/v1/featuredimages', 'user', {
  summary: 'Featured images, without duplicates',
  query: pagingQuery,
  response: z.array(z.object({ id: z.int() })),
  errors: PAGE_ERRORS,
});

/** Maximum number of waiting and running jobs. */
export const MAX_OPEN_JOBS = 10;

/** Maximum number of stored problems per job; all are counted. */
export const MAX_JOB_PROBLEMS = 100;

/** Maximum number of stored finished jobs. */
export const MAX_STORED_JOBS = 100;

const jobStatus = z.enum(['waiting', 'running', 'done', 'cancelled']);
export type JobStatus = z.output<typeof jobStatus>;

/** Reason why an image of a job has no new sizes. */
const jobProblem = z.object({ id: z.int(), code: z.string(), message: z.string() });
export type JobProblem = z.output<typeof jobProblem>;

const scope = z.enum(['all', 'featured']).describe('All images, or only featured images');

/** A regeneration job and its progress. */
const thumbnailJob = z.object({
  id: z.int(),
  status: jobStatus,
  scope,
  only_regenerate_missing_thumbnails: z.boolean(),
  delete_unregistered_thumbnail_files: z.boolean(),
  update_usages_in_posts: z.boolean(),
  /** Number of images. */
  total: z.int(),
  /** Number of processed images, including failed ones. */
  done: z.int(),
  failed: z.int(),
  posts_updated: z.int(),
  problems: z.array(jobProblem),
  created: z.iso.datetime(),
  finished: z.iso.datetime().nullable(),
});
export type ThumbnailJob = z.output<typeof thumbnailJob>;

const jobId = z.object({ id: wireInteger().describe('Id of the job') });
const NOT_FOUND = { thumbnails_job_not_found: 404 } as const;

export const {
  list: listThumbnailJobs,
  get: getThumbnailJob,
  create: createThumbnailJob,
  remove: cancelThumbnailJob,
} = resourceRoutes(
  { path: 'thumbnails/v1/jobs', params: jobId, access: 'user', resource: thumbnailJob },
  {
    list: { summary: 'Regeneration jobs, latest first', query: pagingQuery, errors: PAGE_ERRORS },
    get: { summary: 'Progress of a regeneration job', errors: NOT_FOUND },
    create: {
      summary: 'Starts a regeneration job for many images; it survives restarts of the server',
      body: regenerationOptions.extend({ scope: scope.default('all') }),
      errors: { thumbnails_too_many_jobs: 409 },
    },
    remove: {
      summary: 'Cancels a regeneration job after the current image; finished images stay',
      errors: NOT_FOUND,
    },
  },
);
