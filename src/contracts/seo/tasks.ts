import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/field.ts';
import { route } from '../route.ts';
import { wireInteger, wireText } from '../wire.ts';

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

export const getTasks = route({
  method: 'GET',
  path: 'seo/v1/get_tasks',
  summary: 'Tasks that improve the visibility of the site',
  access: 'user',
  query: z.object({
    options: z
      .object({
        filter: wireText(MAX_NAME_LENGTH)
          .optional()
          .meta({ description: '`open`, `completed`, a priority, or a prefix of ids' }),
        limit: wireInteger({ minimum: 1, maximum: 1000 }).optional().meta({ description: 'Maximum number of tasks' }),
      })
      .optional()
      .meta({ description: 'Filter and limit' }),
  }),
  response: z.object({ success: z.literal(true), tasks: z.record(z.string(), task) }),
});

export const completeTask = route({
  method: 'POST',
  path: 'seo/v1/complete_task',
  summary: 'Completes a task that the server can perform',
  access: 'user',
  body: z.object({
    options: z.object({ task: wireText(MAX_NAME_LENGTH) }).meta({ description: 'Id of the task' }),
  }),
  response: z.union([
    z.object({ success: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
});
