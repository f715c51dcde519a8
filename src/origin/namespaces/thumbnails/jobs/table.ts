import { bigint, boolean, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { JobProblem, JobStatus } from '#contracts/thumbnails/index.ts';
import { boundedJson } from '#origin/platform/store/json-column.ts';

const reference = (name: string) => bigint(name, { mode: 'number' });
const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Regenerations of many pictures, in the order of their ids; how far each has come is all that a restart needs. */
export const thumbnailJob = pgTable(
  'thumbnail_job',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    status: text().$type<JobStatus>().notNull().default('waiting'),
    featuredOnly: boolean('featured_only').notNull(),
    onlyMissing: boolean('only_missing').notNull(),
    isDeleting: boolean('is_deleting').notNull(),
    updatesPosts: boolean('updates_posts').notNull(),
    /** Who began it. */
    userId: reference('user_id').notNull(),
    total: integer().notNull(),
    done: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    postsUpdated: integer('posts_updated').notNull().default(0),
    /** The first of what failed. */
    problems: boundedJson().$type<JobProblem[]>().notNull().default([]),
    /** The last picture that is done, and the last one of all. */
    lastId: reference('last_id').notNull().default(0),
    untilId: reference('until_id').notNull(),
    /** The picture that is worked on, and how often that was begun: one that ends the server is given up. */
    currentId: reference('current_id').notNull().default(0),
    attempts: integer().notNull().default(0),
    /** The last post whose usages are up to date; posts come after all pictures. */
    lastPostId: reference('last_post_id').notNull().default(0),
    /** The process that works on it, and until when nobody else may. */
    heldBy: text('held_by').notNull().default(''),
    heldUntil: moment('held_until'),
    createdAt: moment('created_at').notNull().defaultNow(),
    finishedAt: moment('finished_at'),
  },
  (table) => [index('thumbnail_job_status').on(table.status, table.id)],
);
