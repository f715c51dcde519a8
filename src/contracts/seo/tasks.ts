import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/index.ts';
import { route } from '../route.ts';
import { wireInteger, wireText } from '../wire.ts';

/** Something an editor can do so that the site is found better. */
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
  /** Whether it consists of others, each of which names it as its parent. */
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
  summary: 'What can be done so that the site is found better',
  access: 'user',
  query: z.object({
    options: z
      .object({
        filter: wireText(MAX_NAME_LENGTH)
          .optional()
          .meta({ description: '`open`, `completed`, a priority, or what ids begin with' }),
        limit: wireInteger({ minimum: 1, maximum: 1000 }).optional().meta({ description: 'Tasks at the most' }),
      })
      .optional()
      .meta({ description: 'Which of them' }),
  }),
  response: z.object({ success: z.literal(true), tasks: z.record(z.string(), task) }),
});

export const completeTask = route({
  method: 'POST',
  path: 'seo/v1/complete_task',
  summary: 'Does a task that the server can do by itself',
  access: 'user',
  body: z.object({
    options: z.object({ task: wireText(MAX_NAME_LENGTH) }).meta({ description: 'Id of the task' }),
  }),
  response: z.union([
    z.object({ success: z.literal(true) }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
});
