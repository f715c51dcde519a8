import { and, asc, eq, exists, gt, inArray, lte, ne, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { MAX_JOB_PROBLEMS, THUMBNAIL_ERRORS, type JobProblem } from '#contracts/thumbnails/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { errorFactory, RestError } from '#origin/platform/http/transport/index.ts';
import { RESIZABLE_TYPES } from '#origin/platform/media/image-sizes.ts';
import { SITE_ICON } from '#origin/platform/registry/content-kind.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { regenerate } from '../regenerate.ts';
import { updateUsages } from '../usages/update-usages.ts';
import { thumbnailJob } from './table.ts';

export type Job = typeof thumbnailJob.$inferSelect;

/** Longer than the work on any picture takes: whoever held a job and died is followed by somebody else after that. */
const LEASE_MS = 180_000;

/** How often a picture is begun; one that each time ends the server keeps it from all others. */
const MAX_ATTEMPTS = 3;

const PICTURES_IN_STEP = 20;
const POSTS_IN_STEP = 50;

/** The pictures of a job: those that sizes can be made of. */
export function picturesOf(db: Database, { featuredOnly }: Pick<Job, 'featuredOnly'>): SQL | undefined {
  const shown = alias(content, 'shown');
  const featured = db
    .select({ one: sql`1` })
    .from(shown)
    .where(and(eq(shown.featuredMedia, content.id), ne(shown.type, 'revision')));
  return and(
    eq(content.type, 'attachment'),
    inArray(content.mimeType, [...RESIZABLE_TYPES]),
    sql`coalesce(${content.meta} ->> ${SITE_ICON.key}, '') <> ${SITE_ICON.value}`,
    featuredOnly ? exists(featured) : undefined,
  );
}

/** Takes the next job that nobody works on. */
export async function claimJob(db: Database, me: string): Promise<Job | undefined> {
  const isFree = sql`(${thumbnailJob.heldUntil} is null or ${thumbnailJob.heldUntil} < now())`;
  const isOpen = and(inArray(thumbnailJob.status, ['waiting', 'running']), isFree);
  // Mostly nothing is: that is found out without a write.
  const [next] = await db
    .select({ id: thumbnailJob.id })
    .from(thumbnailJob)
    .where(isOpen)
    .orderBy(asc(thumbnailJob.id))
    .limit(1);
  if (!next) return undefined;
  const [claimed] = await db
    .update(thumbnailJob)
    .set({ status: 'running', heldBy: me, heldUntil: leaseEnd() })
    .where(and(eq(thumbnailJob.id, next.id), isOpen))
    .returning();
  return claimed;
}

/** Lets others go on with what a process has not finished. */
export async function releaseJobs(db: Database, held: { by: string } | 'by anybody'): Promise<void> {
  const isHeld = held === 'by anybody' ? undefined : eq(thumbnailJob.heldBy, held.by);
  await db
    .update(thumbnailJob)
    .set({ heldUntil: null })
    .where(and(eq(thumbnailJob.status, 'running'), isHeld));
}

/**
 * Works on a job until it is done, cancelled or lost to another process: one picture after the other, then the posts.
 * Each step is written down when it is done; one that was interrupted is done again, to the same result.
 */
export async function workOnJob(context: OriginContext, claimed: Job, signal: AbortSignal): Promise<void> {
  const { db } = context.store;
  const isMine = and(
    eq(thumbnailJob.id, claimed.id),
    eq(thumbnailJob.status, 'running'),
    eq(thumbnailJob.heldBy, claimed.heldBy),
  );
  const write: Write = async (values) => {
    const [written] = await db
      .update(thumbnailJob)
      .set({ heldUntil: leaseEnd(), ...values })
      .where(isMine)
      .returning();
    return written;
  };
  let job: Job | undefined = claimed;
  while (job && !signal.aborted) {
    const pictures = await nextPictures(db, job);
    if (pictures.length === 0) break;
    job = await workOnPictures(context, job, { pictures, write, signal });
  }
  while (job?.updatesPosts && !signal.aborted) {
    const { lastPostId: after, userId: authorId, postsUpdated } = job;
    const step = await updateUsages(context, { after, limit: POSTS_IN_STEP, pictures: 'all', authorId });
    if (step.last === undefined) break;
    job = await write({ lastPostId: step.last, postsUpdated: postsUpdated + step.updated });
  }
  if (job && !signal.aborted) await write({ status: 'done', total: job.done, finishedAt: sql`now()`, heldUntil: null });
}

/** Writes down how far a job has come. @returns nothing for one that is no longer this process's */
type Write = (values: Parameters<ReturnType<Database['update']>['set']>[0]) => Promise<Job | undefined>;

async function nextPictures(db: Database, job: Job): Promise<number[]> {
  const rows = await db
    .select({ id: content.id })
    .from(content)
    .where(and(picturesOf(db, job), gt(content.id, job.lastId), lte(content.id, job.untilId)))
    .orderBy(asc(content.id))
    .limit(PICTURES_IN_STEP);
  return rows.map(({ id }) => id);
}

/** What is written with a picture names the next one too: a write is what others wait for longest. */
async function workOnPictures(
  context: OriginContext,
  before: Job,
  { pictures, write, signal }: { pictures: readonly number[]; write: Write; signal: AbortSignal },
): Promise<Job | undefined> {
  const [first] = pictures;
  const attempts = before.currentId === first ? before.attempts + 1 : 1;
  let job = await write({ currentId: first, attempts });
  for (const [i, id] of pictures.entries()) {
    if (!job || signal.aborted) return job;
    const problem = await workOnPicture(context, job);
    job = await write({
      lastId: id,
      done: job.done + 1,
      ...(problem ? { failed: job.failed + 1, problems: [...job.problems, problem].slice(0, MAX_JOB_PROBLEMS) } : {}),
      currentId: pictures[i + 1] ?? 0,
      attempts: 1,
    });
  }
  return job;
}

/** @returns what went wrong */
async function workOnPicture(
  context: OriginContext,
  { currentId: id, attempts, onlyMissing, isDeleting }: Job,
): Promise<JobProblem | undefined> {
  if (attempts > MAX_ATTEMPTS)
    return { id, code: 'internal_server_error', message: 'The server has ended each time it worked on this picture.' };
  const options = {
    only_regenerate_missing_thumbnails: onlyMissing,
    delete_unregistered_thumbnail_files: isDeleting,
  };
  try {
    await regenerate({ context, refuse: errorFactory(THUMBNAIL_ERRORS, {}) }, id, options);
    return undefined;
  } catch (error) {
    if (error instanceof RestError) return { id, code: error.code, message: error.message };
    context.log(`Sizes of the picture ${id} were not made: ${describeError(error)}`);
    return {
      id,
      code: 'internal_server_error',
      message: 'The files could not be written. The log of the server says why.',
    };
  }
}

/** By the store's clock, which all processes share. */
function leaseEnd(): SQL {
  return sql`now() + ${LEASE_MS}::float8 * interval '1 millisecond'`;
}
