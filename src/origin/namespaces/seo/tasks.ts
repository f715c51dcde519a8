import { and, desc, eq, gt, gte, not, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { deletePost } from '#contracts/core/routes.ts';
import { decodeHtml } from '#contracts/html/html-text.ts';
import { completeTask, getTasks, scoreRank, type ScoreRank, type Task } from '#contracts/seo/scores.ts';
import { CONFIGURATION_STEPS } from '#contracts/seo/state.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { presentPage, presentPost } from '#origin/platform/content/present-content.ts';
import { deleteContent } from '#origin/platform/content/writing/write-content.ts';
import { failure, item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { EDITORS_PATH, editLink, tableLink } from '#origin/platform/site/editor-links.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadSeoOptions, updateSeoOptions, type SeoOptions } from './options.ts';
import { hasNoindexSetting, managerRules, storedScore, storedSetting } from './settings.ts';
import { recordFirstTime } from './state.ts';
import texts from './tasks.json' with { type: 'json' };

const TYPES = ['post', 'page'] as const;
type TextType = (typeof TYPES)[number];
const FRESH_DAYS = 30;
const RECENT_DAYS = 60;
const MAX_CHILDREN = 100;

/** Serves tasks that improve how the site is found. */
export function serveTasks(registry: RouteRegistry): void {
  registry.with({ ...managerRules, isKept: false })(getTasks, async (call) => {
    const { filter, limit } = call.query.options ?? {};
    await recordFirstTime(call, 'task_list_first_opened_on');
    const options = await loadSeoOptions(call);
    const groups = listGroups(options);
    const found = await findTexts(call, freshPost(), sampleQuery('post'), sampleQuery('page'), ...groups);
    const tasks = [
      ...siteTasks(call, options, found),
      ...groups.flatMap((group) => createTasks(call, group, found.get(group.name) ?? [])),
    ];
    const selected = tasks.filter((task) => filter === undefined || matchesFilter(task, filter)).slice(0, limit);
    return item({ success: true, tasks: Object.fromEntries(selected.map((task) => [task.id, task])) });
  });
  // Runs a task that the server can complete. Completed tasks can be repeated.
  registry.with(managerRules)(completeTask, async (call) => {
    const { task } = call.body.options;
    await recordFirstTime(call, 'task_first_actioned_on');
    if (task === 'enable-llms-txt') await updateSeoOptions(call, { enable_llms_txt: true });
    else if (task === 'delete-hello-world') await trashSample(call, 'post');
    else if (task === 'delete-sample-page') await trashSample(call, 'page');
    else return failure(404, { success: false, error: `The server can't complete a task "${task}".` });
    return item({ success: true });
  });
}

function matchesFilter({ id, priority, isCompleted }: Task, filter: string): boolean {
  if (filter === 'open') return !isCompleted;
  if (filter === 'completed') return isCompleted;
  return priority === filter || id.startsWith(filter);
}

async function trashSample(call: AnyCall, type: TextType): Promise<void> {
  const { db } = call.context.store;
  const [found] = await db.select({ id: content.id }).from(content).where(sampleQuery(type).condition).limit(1);
  if (!found) return;
  const refuse = errorFactory(deletePost.errors, call.caller);
  const deletion = { ...call, params: { id: found.id }, query: { force: false }, refuse };
  if (type === 'post') await deleteContent(deletion, CONTENT_KINDS.post, presentPost);
  else await deleteContent(deletion, CONTENT_KINDS.page, presentPage);
}

/** Tasks about the site as a whole. */
function siteTasks({ addresses }: AnyCall, options: SeoOptions, found: FoundTexts): Task[] {
  const completed: Readonly<Record<string, boolean>> = {
    'complete-ftc': options.configuration_finished_steps.length === CONFIGURATION_STEPS,
    'create-new-content': found.has(FRESH),
    'delete-hello-world': !found.has(SAMPLE_SLUGS.post),
    'delete-sample-page': !found.has(SAMPLE_SLUGS.page),
    'enable-llms-txt': options.enable_llms_txt,
  };
  const links: Readonly<Record<string, string>> = {
    'complete-ftc': `${addresses.site}${EDITORS_PATH}`,
    'create-new-content': tableLink(addresses, { type: 'post' }),
  };
  return (texts.site as SiteTask[]).map(({ action, ...task }) => ({
    ...task,
    badge: null,
    isCompleted: completed[task.id] === true,
    callToAction: { ...action, href: links[task.id] ?? null },
  }));
}

type SiteTask = Pick<Task, 'id' | 'duration' | 'priority' | 'title' | 'about'> & {
  action: Omit<NonNullable<Task['callToAction']>, 'href'>;
};

const FRESH = 'fresh';

function freshPost(): TextQuery {
  const isFresh = and(
    eq(content.type, 'post'),
    eq(content.status, 'publish'),
    gte(content.dateGmt, daysAgo(FRESH_DAYS)),
  );
  return { name: FRESH, condition: isFresh, most: 1 };
}

function daysAgo(days: number): string {
  return toSiteTime(new Date(Date.now() - days * 24 * 60 * 60 * 1000), 'UTC');
}

const SAMPLE_SLUGS = { post: 'hello-world', page: 'sample-page' } as const;

/** Finds the unedited sample text that other publishing servers create at installation. */
function sampleQuery(type: TextType): TextQuery {
  const name = SAMPLE_SLUGS[type];
  const isUntouched = and(eq(content.status, 'publish'), eq(content.modified, content.date));
  return { name, condition: and(eq(content.type, type), eq(content.slug, name), isUntouched), most: 1 };
}

type ImprovementName = keyof typeof texts.improvements;

/** Ranks of texts per improvement, with a condition on the affected texts. */
const IMPROVEMENTS: Readonly<
  Record<ImprovementName, { condition?: SQL | undefined; rank(text: TextSummary): ScoreRank }>
> = {
  'improve-content-readability': {
    condition: gt(storedScore('reading_minutes'), 0),
    rank: ({ readabilityScore }) => scoreRank(readabilityScore) ?? 'bad',
  },
  'improve-content-seo': {
    condition: and(gt(storedScore('seo_score'), 0), not(hasNoindexSetting())),
    rank: ({ seoScore }) => scoreRank(seoScore) ?? 'bad',
  },
  'improve-default-meta-descriptions': { rank: ({ description }) => (description === '' ? 'ok' : 'good') },
};

/** Improvement of texts of a type: one task, with a child task per text. */
type Group = ReturnType<typeof listGroups>[number];

function listGroups({ templates }: SeoOptions) {
  const improvements = Object.keys(IMPROVEMENTS) as ImprovementName[];
  const isRecent = and(eq(content.status, 'publish'), gte(content.modifiedGmt, daysAgo(RECENT_DAYS)));
  const groups = TYPES.flatMap((type) =>
    improvements.map((improvement) => ({
      type,
      improvement,
      name: `${improvement}-${type}`,
      condition: and(eq(content.type, type), isRecent, IMPROVEMENTS[improvement].condition),
      most: MAX_CHILDREN,
    })),
  );
  // A template with variables already describes each text.
  return groups.filter(
    ({ type, improvement }) =>
      improvement !== 'improve-default-meta-descriptions' || !templates[type]?.description?.includes('%%'),
  );
}

/** Creates the task of a group, followed by its child tasks. */
function createTasks(call: AnyCall, group: Group, found: readonly TextSummary[]): Task[] {
  const { title, about } = texts.improvements[group.improvement];
  const children = found.map((text) => childTask(call, text, group));
  const open = children.filter(({ isCompleted }) => !isCompleted);
  const parent: Task = {
    id: group.name,
    duration: open.reduce((minutes, { duration }) => minutes + duration, 0),
    priority: 'medium',
    badge: null,
    isCompleted: open.length === 0,
    callToAction: null,
    title: `${title} (${group.type}s)`,
    about,
    isParentTask: true,
  };
  return [parent, ...children];
}

const RESULTS = { good: 'Well done', ok: 'Nearly there', bad: 'Much to gain' } as const;

function childTask({ addresses }: AnyCall, text: TextSummary, { name, type, improvement }: Group): Task {
  const { duration, about, analyzer } = texts.improvements[improvement];
  const result = IMPROVEMENTS[improvement].rank(text);
  const rating = { result, resultLabel: RESULTS[result], resultDescription: about };
  return {
    id: `${name}-${text.id}`,
    duration,
    priority: result === 'bad' ? 'high' : 'medium',
    badge: null,
    isCompleted: result === 'good',
    callToAction: { label: 'Edit', type: 'edit', href: editLink(addresses, { type, id: text.id }) },
    title: text.title === '' ? `Untitled (${text.id})` : text.title,
    about: `<p>${escapeHtml(about)}</p>`,
    analyzer: analyzer === '' ? null : { type: 'score', title: analyzer, ...rating },
    parentTaskId: name,
  };
}

interface TextQuery {
  name: string;
  condition: SQL | undefined;
  /** Maximum number of texts, most recently changed first. */
  most: number;
}

/** Finds texts by the name of their query, most recently changed first, in one statement. */
async function findTexts(
  { context }: AnyCall,
  ...[first, second, ...rest]: readonly [TextQuery, TextQuery, ...TextQuery[]]
) {
  const select = ({ name, condition, most }: TextQuery) =>
    context.store.db
      .select({
        query: sql<string>`${name}::text`,
        id: content.id,
        title: content.title,
        description: storedSetting('description'),
        seoScore: storedScore('seo_score'),
        readabilityScore: storedScore('readability_score'),
        modified: content.modifiedGmt,
      })
      .from(content)
      .where(condition)
      .orderBy(desc(content.modifiedGmt), desc(content.id))
      .limit(most);
  const rows = await unionAll(select(first), select(second), ...rest.map(select));
  const newestFirst = rows.toSorted((a, b) => b.modified.localeCompare(a.modified) || b.id - a.id);
  return Map.groupBy(
    newestFirst.map((row) => ({ ...row, title: decodeHtml(row.title) })),
    ({ query }) => query,
  );
}

type FoundTexts = Awaited<ReturnType<typeof findTexts>>;
type TextSummary = NonNullable<ReturnType<FoundTexts['get']>>[number];
