import { z } from 'zod';
import { MAX_PER_PAGE } from '../core/collection-query.ts';
import { route } from '../route.ts';
import { wireInteger } from '../wire.ts';
import { regenerationOptions } from './picture-routes.ts';

/** Maximum number of waiting and running jobs. */
export const MAX_OPEN_JOBS = 10;

/** Maximum number of stored problems per job; all are counted. */
export const MAX_JOB_PROBLEMS = 100;

/** Maximum number of stored finished jobs. */
export const MAX_STORED_JOBS = 100;

export const jobStatus = z.enum(['waiting', 'running', 'done', 'cancelled']);
export type JobStatus = z.output<typeof jobStatus>;

/** Reason why an image of a job has no new sizes. */
export const jobProblem = z.object({ id: z.int(), code: z.string(), message: z.string() });
export type JobProblem = z.output<typeof jobProblem>;

const scope = z.enum(['all', 'featured']).meta({ description: 'All images, or only featured images' });

/** A regeneration job and its progress. */
export const thumbnailJob = z.object({
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

const jobId = z.object({ id: wireInteger().meta({ description: 'Id of the job' }) });
const NOT_FOUND = { thumbnails_job_not_found: 404 } as const;

export const createThumbnailJob = route({
  method: 'POST',
  path: 'thumbnails/v1/jobs',
  summary: 'Starts a regeneration job for many images; it survives restarts of the server',
  access: 'user',
  body: regenerationOptions.extend({ scope: scope.default('all') }),
  response: thumbnailJob,
  errors: { thumbnails_too_many_jobs: 409 },
});

export const listThumbnailJobs = route({
  method: 'GET',
  path: 'thumbnails/v1/jobs',
  summary: 'Regeneration jobs, latest first',
  access: 'user',
  query: z.object({
    page: wireInteger({ minimum: 1 }).default(1).meta({ description: 'Page of the collection' }),
    per_page: wireInteger({ minimum: 1, maximum: MAX_PER_PAGE }).default(10).meta({ description: 'Items per page' }),
  }),
  response: z.array(thumbnailJob),
  errors: { rest_post_invalid_page_number: 400 },
});

export const getThumbnailJob = route({
  method: 'GET',
  path: 'thumbnails/v1/jobs/<id>',
  summary: 'Progress of a regeneration job',
  access: 'user',
  params: jobId,
  response: thumbnailJob,
  errors: NOT_FOUND,
});

export const cancelThumbnailJob = route({
  method: 'DELETE',
  path: 'thumbnails/v1/jobs/<id>',
  summary: 'Cancels a regeneration job after the current image; finished images stay',
  access: 'user',
  params: jobId,
  response: thumbnailJob,
  errors: NOT_FOUND,
});
