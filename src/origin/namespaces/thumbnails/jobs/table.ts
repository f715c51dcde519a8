import { bigint, boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { JobProblem, JobStatus } from '#contracts/thumbnails/job-routes.ts';
import { boundedJson } from '#origin/platform/store/json-column.ts';

const reference = (name: string) => bigint(name, { mode: 'number' });
const timestampColumn = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Jobs that regenerate many images in ID order. The progress columns are sufficient to resume after a restart. */
export const thumbnailJob = pgTable(
  'thumbnail_job',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    status: text().$type<JobStatus>().notNull().default('waiting'),
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
    problems: boundedJson().$type<JobProblem[]>().notNull().default([]),
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
