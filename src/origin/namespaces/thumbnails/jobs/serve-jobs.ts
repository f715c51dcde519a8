import { and, count, desc, eq, inArray, lte, max, sql } from 'drizzle-orm';
import {
  cancelThumbnailJob,
  createThumbnailJob,
  getThumbnailJob,
  listThumbnailJobs,
  MAX_STORED_JOBS,
  MAX_OPEN_JOBS,
  type ThumbnailJob,
} from '#contracts/thumbnails/routes.ts';
import { collection, created, item, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { authorizeRegeneration } from '../regenerate.ts';
import { wakeJobs, thumbnailJob, jobImagesCondition, type Job } from './run-thumbnail-job.ts';

const OPEN = ['waiting', 'running'] as const;

/** Serves background jobs that regenerate many images. */
export function serveJobs(registry: RouteRegistry): void {
  const rules = { permit: authorizeRegeneration };
  registry.serve(
    createThumbnailJob,
    async (call) => {
      const job = await createJob(call.context, call.body, call.caller.user?.id ?? 0);
      if (!job)
        throw call.refuse(
          'thumbnails_too_many_jobs',
          `There are already ${MAX_OPEN_JOBS} open jobs. Wait for one to finish, or cancel one.`,
        );
      return created(presentJob(job), call.addresses.rest(`${createThumbnailJob.path}/${job.id}`));
    },
    rules,
  );
  registry.serve(
    listThumbnailJobs,
    async (call) => {
      const { page, per_page: perPage } = call.query;
      const { rows, total } = await listJobs(call.context, { limit: perPage, offset: (page - 1) * perPage });
      if (total > 0 && page > Math.ceil(total / perPage))
        throw call.refuse('rest_post_invalid_page_number', 'The page number exceeds the number of pages.');
      return collection(rows.map(presentJob), total, { page, perPage });
    },
    rules,
  );
  registry.serve(getThumbnailJob, async (call) => item(presentJob(await loadJob(call))), rules);
  registry.serve(
    cancelThumbnailJob,
    async (call) => {
      const job = await loadJob(call);
      return item(presentJob((await cancelJob(call.context, job.id)) ?? job));
    },
    rules,
  );
}

/** Creates a job and wakes the worker. @returns undefined if too many jobs are open */
export async function createJob(
  context: OriginContext,
  options: Call<typeof createThumbnailJob>['body'],
  userId: number,
): Promise<Job | undefined> {
  const featuredOnly = options.scope === 'featured';
  const job = await retryTransaction(context.store.db, async (tx) => {
    const isOpen = inArray(thumbnailJob.status, [...OPEN]);
    const [open] = await tx.select({ jobs: count() }).from(thumbnailJob).where(isOpen);
    if ((open?.jobs ?? 0) >= MAX_OPEN_JOBS) return undefined;
    const [found] = await tx
      .select({ total: count(), untilId: max(content.id) })
      .from(content)
      .where(jobImagesCondition(context.store.db, { featuredOnly }));
    const [added] = await tx
      .insert(thumbnailJob)
      .values({
        featuredOnly,
        onlyMissing: options.only_regenerate_missing_thumbnails,
        isDeleting: options.delete_unregistered_thumbnail_files,
        updatesPosts: options.update_usages_in_posts,
        userId,
        total: found?.total ?? 0,
        untilId: found?.untilId ?? 0,
      })
      .returning();
    if (added)
      await tx
        .delete(thumbnailJob)
        .where(
          and(lte(thumbnailJob.id, added.id - MAX_STORED_JOBS), inArray(thumbnailJob.status, ['done', 'cancelled'])),
        );
    return added;
  });
  if (job) wakeJobs(context);
  return job;
}

/** Lists jobs, newest first. */
export async function listJobs(
  { store: { db } }: OriginContext,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Job[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.select().from(thumbnailJob).orderBy(desc(thumbnailJob.id)).limit(limit).offset(offset),
    db.select({ total: count() }).from(thumbnailJob),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Cancels an open job. A running worker stops after the current image. */
export async function cancelJob({ store: { db } }: OriginContext, id: number): Promise<Job | undefined> {
  const [cancelled] = await db
    .update(thumbnailJob)
    .set({ status: 'cancelled', finishedAt: sql`now()`, heldUntil: null })
    .where(and(eq(thumbnailJob.id, id), inArray(thumbnailJob.status, [...OPEN])))
    .returning();
  return cancelled;
}

async function loadJob(call: AnyCall<'thumbnails_job_not_found'> & { params: { id: number } }): Promise<Job> {
  const { db } = call.context.store;
  const [job] = await db.select().from(thumbnailJob).where(eq(thumbnailJob.id, call.params.id)).limit(1);
  if (!job)
    throw call.refuse('thumbnails_job_not_found', `Job ${call.params.id} does not exist. Old jobs are deleted.`);
  return job;
}

export function presentJob(job: Job): ThumbnailJob {
  const { id, status, total, done, failed, problems } = job;
  return {
    id,
    status,
    scope: job.featuredOnly ? 'featured' : 'all',
    only_regenerate_missing_thumbnails: job.onlyMissing,
    delete_unregistered_thumbnail_files: job.isDeleting,
    update_usages_in_posts: job.updatesPosts,
    total,
    done,
    failed,
    posts_updated: job.postsUpdated,
    problems,
    created: job.createdAt.toISOString(),
    finished: job.finishedAt?.toISOString() ?? null,
  };
}
