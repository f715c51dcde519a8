import { and, eq, gte } from 'drizzle-orm';
import { deletePost } from '#contracts/core/routes.ts';
import { completeTask, getTasks, type Task } from '#contracts/seo/tasks.ts';
import { CONFIGURATION_STEPS } from '#contracts/seo/configuration.ts';
import { presentPage, presentPost } from '#origin/platform/content/present-content.ts';
import { deleteContent } from '#origin/platform/content/writing/delete-content.ts';
import {
  failure,
  item,
  errorFactory,
  type AnyCall,
  type ResultOf,
  type Call,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { EDITORS_PATH, tableLink } from '#origin/platform/site/editor-links.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from '../options.ts';
import { managerRules } from '../authorize.ts';
import { recordFirstTime } from '../state/serve-state.ts';
import { findTexts, type TextSummary, type TextQuery } from './find-texts.ts';
import { improvementQueries, improvementTasks } from './improvement-tasks.ts';

const FRESH_DAYS = 30;

/** Serves tasks that improve how the site is found. */
export function serveTasks(registry: RouteRegistry): void {
  registry.serve(getTasks, listTasks, { ...managerRules, isKept: false });
  registry.serve(completeTask, runTask, managerRules);
}

async function listTasks(call: Call<typeof getTasks>): Promise<ResultOf<typeof getTasks>> {
  const { filter, limit } = call.query.options ?? {};
  await recordFirstTime(call, 'task_list_first_opened_on');
  const options = await loadSeoOptions(call);
  const found = await findTexts(
    call,
    freshPost(),
    sampleGroup('post'),
    sampleGroup('page'),
    ...improvementQueries(options),
  );
  const tasks = [...siteTasks(call, options, found), ...improvementTasks(call, options, found)];
  const selected = tasks.filter((task) => filter === undefined || matchesFilter(task, filter)).slice(0, limit);
  return item({ success: true, tasks: Object.fromEntries(selected.map((task) => [task.id, task])) });
}

function matchesFilter({ id, priority, isCompleted }: Task, filter: string): boolean {
  if (filter === 'open') return !isCompleted;
  if (filter === 'completed') return isCompleted;
  return priority === filter || id.startsWith(filter);
}

/** Tasks about the site as a whole. */
function siteTasks(
  { addresses }: AnyCall,
  options: SeoOptions,
  found: ReadonlyMap<string, readonly TextSummary[]>,
): Task[] {
  const defaults = { priority: 'medium', badge: null } as const;
  return [
    {
      ...defaults,
      id: 'complete-ftc',
      duration: 15,
      priority: 'high',
      isCompleted: options.configuration_finished_steps.length === CONFIGURATION_STEPS,
      callToAction: { label: 'Configure', type: 'link', href: `${addresses.site}${EDITORS_PATH}` },
      title: 'Introduce the publisher of the site',
      about: 'Name the company or the person, and their profiles on other sites.',
    },
    {
      ...defaults,
      id: 'create-new-content',
      duration: 90,
      isCompleted: found.has(FRESH),
      callToAction: { label: 'Write', type: 'add', href: tableLink(addresses, { type: 'post' }) },
      title: 'Write something new',
      about: 'Visitors and search engines return to sites with news.',
    },
    {
      ...defaults,
      id: 'delete-hello-world',
      duration: 1,
      isCompleted: !found.has(SAMPLE_SLUGS.post),
      callToAction: { label: 'Delete', type: 'delete', href: null },
      title: 'Delete the sample post',
      about: 'It came with the installation and says nothing about the site.',
    },
    {
      ...defaults,
      id: 'delete-sample-page',
      duration: 1,
      isCompleted: !found.has(SAMPLE_SLUGS.page),
      callToAction: { label: 'Delete', type: 'delete', href: null },
      title: 'Delete the sample page',
      about: 'It came with the installation and says nothing about the site.',
    },
    {
      ...defaults,
      id: 'enable-llms-txt',
      duration: 1,
      isCompleted: options.enable_llms_txt,
      callToAction: { label: 'Turn on', type: 'default', href: null },
      title: 'Turn on llms.txt',
      about: 'A short guide to the site for AI assistants. Catalogues built from this site include one.',
    },
  ];
}

const FRESH = 'fresh';

function freshPost(): TextQuery {
  const since = toSiteTime(new Date(Date.now() - FRESH_DAYS * 24 * 60 * 60 * 1000), 'UTC');
  const condition = and(eq(content.type, 'post'), eq(content.status, 'publish'), gte(content.dateGmt, since));
  return { name: FRESH, condition, most: 1 };
}

const SAMPLE_SLUGS = { post: 'hello-world', page: 'sample-page' } as const;

/** Finds the unedited sample text that other publishing servers create at installation. */
function sampleGroup(type: keyof typeof SAMPLE_SLUGS): TextQuery {
  const name = SAMPLE_SLUGS[type];
  const isUntouched = and(eq(content.status, 'publish'), eq(content.modified, content.date));
  return { name, condition: and(eq(content.type, type), eq(content.slug, name), isUntouched), most: 1 };
}

/** Runs a task that the server can complete. Completed tasks can be repeated. */
async function runTask(call: Call<typeof completeTask>): Promise<ResultOf<typeof completeTask>> {
  const { task } = call.body.options;
  await recordFirstTime(call, 'task_first_actioned_on');
  if (task === 'enable-llms-txt') await updateSeoOptions(call, { enable_llms_txt: true });
  else if (task === 'delete-hello-world') await trashSample(call, 'post');
  else if (task === 'delete-sample-page') await trashSample(call, 'page');
  else return failure(404, { success: false, error: `The server can't complete a task "${task}".` });
  return item({ success: true });
}

async function trashSample(call: AnyCall, type: keyof typeof SAMPLE_SLUGS): Promise<void> {
  const [found] = await call.context.store.db
    .select({ id: content.id })
    .from(content)
    .where(sampleGroup(type).condition)
    .limit(1);
  if (!found) return;
  const refuse = errorFactory(deletePost.errors, call.caller);
  const deletion = { ...call, params: { id: found.id }, query: { force: false }, refuse };
  if (type === 'post') await deleteContent(deletion, CONTENT_KINDS.post, presentPost);
  else await deleteContent(deletion, CONTENT_KINDS.page, presentPage);
}
