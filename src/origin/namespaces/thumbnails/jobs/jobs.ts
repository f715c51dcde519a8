import { and, count, desc, eq, inArray, lte, notInArray, max, sql, asc, exists, gt, ne, type SQL } from 'drizzle-orm';
import * as routes from '#contracts/thumbnails/routes.ts';
import { collection, created, item, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { authorizeRegeneration, regenerateImage } from '../regenerate.ts';
import { alias, bigint, boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { errorFactory, RestError } from '#origin/platform/http/transport/rest-error.ts';
import { RESIZABLE_TYPES } from '#origin/platform/media/image-work.ts';
import { SITE_ICON } from '#origin/platform/registry/content-kind.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { updateUsages } from '../usages/update-usages.ts';
import { boundedJson } from '#origin/platform/store/store-limits.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { BackgroundWork } from '#origin/platform/namespace/namespace-module.ts';
import { findRows, readWindow, type RowPage, type RowWindow } from '#origin/platform/content/resources/find-rows.ts';

const OPEN = ['waiting', 'running'] as const;

/** Serves background jobs that regenerate many images. */
export function serveJobs(registry: RouteRegistry): void {
  const serve = registry.with({ permit: authorizeRegeneration });
  serve(routes.createThumbnailJob, async (call) => {
    const job = await createJob(call.context, call.body, call.caller.user?.id ?? 0);
    if (!job)
      throw call.refuse(
        'thumbnails_too_many_jobs',
        `There are already ${routes.MAX_OPEN_JOBS} open jobs. Wait for one to finish, or cancel one.`,
      );
    return created(presentJob(job), call.addresses.rest(`${routes.createThumbnailJob.path}/${job.id}`));
  });
  serve(routes.listThumbnailJobs, async (call) => {
    const { page, per_page: perPage } = call.query;
    const { rows, total } = await listJobs(call.context, readWindow(call.query));
    if (total > 0 && page > Math.ceil(total / perPage))
      throw call.refuse('rest_post_invalid_page_number', 'The page number exceeds the number of pages.');
    return collection(rows.map(presentJob), total, { page, perPage });
  });
  serve(routes.getThumbnailJob, async (call) => item(presentJob(await loadJob(call))));
  serve(routes.cancelThumbnailJob, async (call) => {
    const job = await loadJob(call);
    return item(presentJob((await cancelJob(call.context, job.id)) ?? job));
  });
}

/** Creates a job and wakes the worker. @returns undefined if too many jobs are open */
export async function createJob(
  context: OriginContext,
  options: Call<typeof routes.createThumbnailJob>['body'],
  userId: number,
): Promise<Job | undefined> {
  const featuredOnly = options.scope === 'featured';
  const job = await retryTransaction(context.store.db, async (tx) => {
    const open = await tx.$count(thumbnailJob, inArray(thumbnailJob.status, [...OPEN]));
    if (open >= routes.MAX_OPEN_JOBS) return undefined;
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
    const isOld = lte(thumbnailJob.id, (added?.id ?? 0) - routes.MAX_STORED_JOBS);
    await tx.delete(thumbnailJob).where(and(isOld, notInArray(thumbnailJob.status, [...OPEN])));
    return added;
  });
  if (job) wakers.get(context)?.();
  return job;
}

/** Lists jobs, newest first. */
export function listJobs({ store }: OriginContext, window: RowWindow): Promise<RowPage<Job>> {
  return findRows(store.db, thumbnailJob, { where: undefined, orderBy: [desc(thumbnailJob.id)], window });
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

function presentJob(job: Job): routes.ThumbnailJob {
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

export type Job = typeof thumbnailJob.$inferSelect;

/** Longer than processing any image. After this time, another process takes over the job of a crashed one. */
const LEASE_MS = 180_000;

/** Maximum attempts per image, so that one that crashes the server doesn't block the others. */
const MAX_ATTEMPTS = 3;

const IMAGES_PER_STEP = 20;
const POSTS_PER_STEP = 50;

/** Matches the images of a job whose type has sizes. */
function jobImagesCondition(db: Database, { featuredOnly }: Pick<Job, 'featuredOnly'>): SQL | undefined {
  const post = alias(content, 'post');
  const featured = db
    .select({ one: sql`1` })
    .from(post)
    .where(and(eq(post.featuredMedia, content.id), ne(post.type, 'revision')));
  return and(
    eq(content.type, 'attachment'),
    inArray(content.mimeType, [...RESIZABLE_TYPES]),
    sql`coalesce(${content.meta} ->> ${SITE_ICON.key}, '') <> ${SITE_ICON.value}`,
    featuredOnly ? exists(featured) : undefined,
  );
}

/** Claims the next free job for a worker. */
async function claimJob(db: Database, workerId: string): Promise<Job | undefined> {
  const isFree = sql`(${thumbnailJob.heldUntil} is null or ${thumbnailJob.heldUntil} < now())`;
  const isOpen = and(inArray(thumbnailJob.status, [...OPEN]), isFree);
  // Reads first, since there is usually no job and a write is more expensive.
  const [next] = await db
    .select({ id: thumbnailJob.id })
    .from(thumbnailJob)
    .where(isOpen)
    .orderBy(asc(thumbnailJob.id))
    .limit(1);
  if (!next) return undefined;
  const [claimed] = await db
    .update(thumbnailJob)
    .set({ status: 'running', heldBy: workerId, heldUntil: leaseEnd() })
    .where(and(eq(thumbnailJob.id, next.id), isOpen))
    .returning();
  return claimed;
}

/** Releases unfinished jobs of one process or all, so that other processes can resume them. */
async function releaseJobs(db: Database, heldBy?: string): Promise<void> {
  const isHeld = heldBy === undefined ? undefined : eq(thumbnailJob.heldBy, heldBy);
  await db
    .update(thumbnailJob)
    .set({ heldUntil: null })
    .where(and(eq(thumbnailJob.status, 'running'), isHeld));
}

/**
 * Runs a job until it is done, cancelled or taken over by another process. Images come first, then posts. Progress is
 * stored after each step. An interrupted step is repeated, which has the same result.
 */
async function runThumbnailJob(context: OriginContext, claimed: Job, signal: AbortSignal): Promise<void> {
  const { db } = context.store;
  const isHeldByThis = and(
    eq(thumbnailJob.id, claimed.id),
    eq(thumbnailJob.status, 'running'),
    eq(thumbnailJob.heldBy, claimed.heldBy),
  );
  const write: Write = async (values) => {
    const [written] = await db
      .update(thumbnailJob)
      .set({ heldUntil: leaseEnd(), ...values })
      .where(isHeldByThis)
      .returning();
    return written;
  };
  let job: Job | undefined = claimed;
  while (job && !signal.aborted) {
    const pictures = await db
      .select({ id: content.id })
      .from(content)
      .where(and(jobImagesCondition(db, job), gt(content.id, job.lastId), lte(content.id, job.untilId)))
      .orderBy(asc(content.id))
      .limit(IMAGES_PER_STEP);
    if (pictures.length === 0) break;
    const ids = pictures.map(({ id }) => id);
    job = await processImages(context, job, { ids, write, signal });
  }
  while (job?.updatesPosts && !signal.aborted) {
    const { lastPostId: after, userId: authorId, postsUpdated } = job;
    const step = await updateUsages(context, { after, limit: POSTS_PER_STEP, pictures: 'all', authorId });
    if (step.last === undefined) break;
    job = await write({ lastPostId: step.last, postsUpdated: postsUpdated + step.updated });
  }
  if (job && !signal.aborted) await write({ status: 'done', total: job.done, finishedAt: sql`now()`, heldUntil: null });
}

/** Stores the progress of a job. @returns undefined if the job was cancelled or taken over */
type Write = (values: Parameters<ReturnType<Database['update']>['set']>[0]) => Promise<Job | undefined>;

/** Processes the images of one step. The write that finishes an image also marks the next, to save writes. */
async function processImages(
  context: OriginContext,
  before: Job,
  { ids, write, signal }: { ids: readonly number[]; write: Write; signal: AbortSignal },
): Promise<Job | undefined> {
  const [first] = ids;
  const attempts = before.currentId === first ? before.attempts + 1 : 1;
  let job = await write({ currentId: first, attempts });
  for (const [i, id] of ids.entries()) {
    if (!job || signal.aborted) return job;
    const problem = await processImage(context, job);
    job = await write({
      lastId: id,
      done: job.done + 1,
      ...(problem
        ? { failed: job.failed + 1, problems: [...job.problems, problem].slice(0, routes.MAX_JOB_PROBLEMS) }
        : {}),
      currentId: ids[i + 1] ?? 0,
      attempts: 1,
    });
  }
  return job;
}

/** @returns the problem, or undefined on success */
async function processImage(
  context: OriginContext,
  { currentId: id, attempts, onlyMissing, isDeleting }: Job,
): Promise<routes.JobProblem | undefined> {
  const code = 'internal_server_error';
  if (attempts > MAX_ATTEMPTS)
    return { id, code, message: 'The server crashed in each attempt to process this image.' };
  const options = {
    only_regenerate_missing_thumbnails: onlyMissing,
    delete_unregistered_thumbnail_files: isDeleting,
  };
  try {
    await regenerateImage({ context, refuse: errorFactory(routes.THUMBNAIL_ERRORS, {}) }, id, options);
    return undefined;
  } catch (error) {
    if (error instanceof RestError) return { id, code: error.code, message: error.message };
    context.log(`Generating the sizes of image ${id} failed: ${describeError(error)}`);
    return { id, code, message: 'Writing the files failed. See the server log for the cause.' };
  }
}

/** Computed with the database clock, which all processes share. */
function leaseEnd(): SQL {
  return sql`now() + ${LEASE_MS}::float8 * interval '1 millisecond'`;
}

const reference = (name: string) => bigint(name, { mode: 'number' });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Jobs that regenerate many images in ID order. The progress columns are sufficient to resume after a restart. */
export const thumbnailJob = pgTable(
  'thumbnail_job',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    status: text().$type<routes.JobStatus>().notNull().default('waiting'),
    featuredOnly: boolean('featured_only').notNull(),
    onlyMissing: boolean('only_missing').notNull(),
    isDeleting: boolean('is_deleting').notNull(),
    updatesPosts: boolean('updates_posts').notNull(),
    /** User who created the job. */
    userId: reference('user_id').notNull(),
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    postsUpdated: integer('posts_updated').notNull().default(0),
    /** The first failures. */
    problems: boundedJson().$type<routes.JobProblem[]>().notNull().default([]),
    /** IDs of the last finished image and of the final image. */
    lastId: reference('last_id').notNull().default(0),
    untilId: reference('until_id').notNull(),
    /** The current image and its number of attempts. An image that repeatedly crashes the server is skipped. */
    currentId: reference('current_id').notNull().default(0),
    attempts: integer().notNull().default(0),
    /** The last post whose image references are updated. Posts follow after all images. */
    lastPostId: reference('last_post_id').notNull().default(0),
    /** The process that holds the job, and the end of its lease. */
    heldBy: text('held_by').notNull().default(''),
    heldUntil: timestampColumn('held_until'),
    createdAt: timestampColumn('created_at').notNull().defaultNow(),
    finishedAt: timestampColumn('finished_at'),
  },
  (table) => [index('thumbnail_job_status').on(table.status, table.id)],
);

/** Maximum time between polls, for jobs that other processes created or abandoned. */
const PAUSE_MS = 15_000;

/** Functions that end the pause of a worker, by context. */
const wakers = new WeakMap<OriginContext, () => void>();

/**
 * Starts a background worker that runs one job at a time until it is stopped. It also resumes abandoned jobs of other
 * processes. With the embedded store there are no other processes, so it resumes them immediately.
 */
export async function startJobs(context: OriginContext): Promise<BackgroundWork> {
  const { db, engine } = context.store;
  const workerId = randomUUID();
  const stop = new AbortController();
  const { signal } = stop;
  if (engine === 'pglite') await releaseJobs(db);

  const run = async () => {
    while (!signal.aborted) {
      const wake = new AbortController();
      let pauseSignal = AbortSignal.any([signal, wake.signal]);
      wakers.set(context, () => wake.abort());
      try {
        for (;;) {
          const job = signal.aborted ? undefined : await claimJob(db, workerId);
          if (!job) break;
          await runThumbnailJob(context, job, signal);
        }
      } catch (error) {
        await releaseJobs(db, workerId).catch(() => undefined);
        context.log(`Thumbnail jobs failed, retrying later: ${describeError(error)}`);
        // While the store is unavailable, new jobs don't shorten the pause.
        pauseSignal = signal;
      }
      await setTimeout(PAUSE_MS, undefined, { signal: pauseSignal, ref: false }).catch(() => undefined);
    }
    await releaseJobs(db, workerId).catch(() => undefined);
  };
  const ended = run();
  return {
    async stop() {
      stop.abort();
      await ended;
    },
  };
}
