import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/field.ts';
import { readRoute, writeRoute } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';

/** Ranks of scores from 0 to 100. 0 means not analysed. */
export const SCORE_BOUNDS = { bad: [1, 40], ok: [41, 70], good: [71, 100] } as const;
export type ScoreRank = keyof typeof SCORE_BOUNDS;

/** Returns the rank of a score; undefined if not analysed. */
export function scoreRank(score: number): ScoreRank | undefined {
  if (score >= SCORE_BOUNDS.good[0]) return 'good';
  if (score >= SCORE_BOUNDS.ok[0]) return 'ok';
  return score >= SCORE_BOUNDS.bad[0] ? 'bad' : undefined;
}

export const SCORE_BUCKETS = ['good', 'ok', 'bad', 'notAnalyzed'] as const;
export type ScoreBucket = (typeof SCORE_BUCKETS)[number];

const scoresQuery = z.object({
  contentType: wireText(MAX_NAME_LENGTH).describe('Type of content'),
  taxonomy: wireText(MAX_NAME_LENGTH).default('').describe('Taxonomy of the term'),
  term: wireInteger().optional().describe('Limit to content with this term'),
  troubleshooting: wireBoolean.optional().describe('Whether to include the ids'),
});
const scoresAnswer = z.union([
  z.object({
    scores: z.array(
      z.object({
        name: z.enum(SCORE_BUCKETS),
        amount: z.int(),
        links: z.object({ view: z.string() }),
        ids: z.string().optional(),
      }),
    ),
    /** Seconds. */
    queryTime: z.number(),
    cacheUsed: z.boolean(),
  }),
  z.object({ error: z.string() }),
]);

export const getSeoScores = readRoute('seo/v1/seo_scores', 'user', {
  summary: 'Distribution of SEO scores of a content type',
  query: scoresQuery,
  response: scoresAnswer,
});
export const getReadabilityScores = readRoute('seo/v1/readability_scores', 'user', {
  summary: 'Distribution of readability scores of a content type',
  query: scoresQuery,
  response: scoresAnswer,
});

export const getStatistics = readRoute('seo/v1/statistics', 'user', {
  summary: "SEO scores of published posts; only own posts for users who can't edit others",
  response: z.object({
    header: z.string(),
    seo_scores: z.array(
      z.object({
        seo_rank: z.enum(['bad', 'ok', 'good', 'na', 'noindex']),
        label: z.string(),
        count: z.int(),
        link: z.string(),
      }),
    ),
  }),
});

/** A task that improves the visibility of the site in search engines. */
const task = z.object({
  id: z.string(),
  /** Minutes. */
  duration: z.int(),
  priority: z.enum(['high', 'medium', 'low']),
  badge: z.string().nullable(),
  isCompleted: z.boolean(),
  callToAction: z
    .object({
      label: z.string(),
      type: z.enum(['default', 'link', 'add', 'delete', 'edit']),
      href: z.string().nullable(),
    })
    .nullable(),
  title: z.string(),
  about: z.string(),
  /** True if the task has subtasks, which refer to it as their parent. */
  isParentTask: z.literal(true).optional(),
  parentTaskId: z.string().optional(),
  analyzer: z
    .object({
      type: z.literal('score'),
      title: z.string(),
      result: z.enum(['good', 'ok', 'bad']),
      resultLabel: z.string(),
      resultDescription: z.string(),
    })
    .nullable()
    .optional(),
});
export type Task = z.output<typeof task>;

export const getTasks = readRoute('seo/v1/get_tasks', 'user', {
  summary: 'Tasks that improve the visibility of the site',
  query: z.object({
    options: z
      .object({
        filter: wireText(MAX_NAME_LENGTH).optional().describe('`open`, `completed`, a priority, or a prefix of ids'),
        limit: wireInteger({ minimum: 1, maximum: 1000 }).optional().describe('Maximum number of tasks'),
      })
      .optional()
      .describe('Filter and limit'),
  }),
  response: z.object({ success: z.literal(true), tasks: z.record(z.string(), task) }),
});

export const completeTask = writeRoute('seo/v1/complete_task', {
  summary: 'Completes a task that the server can perform',
  body: z.object({
    options: z.object({ task: wireText(MAX_NAME_LENGTH) }).describe('Id of the task'),
  }),
  response: z.union([
    z.object({ success: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
});
