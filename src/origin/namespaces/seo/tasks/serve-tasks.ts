import { and, eq, gte, gt, not, type SQL, desc, sql } from 'drizzle-orm';
import { deletePost } from '#contracts/core/routes.ts';
import { completeTask, getTasks, type Task } from '#contracts/seo/tasks.ts';
import { CONFIGURATION_STEPS } from '#contracts/seo/configuration.ts';
import { presentPage, presentPost } from '#origin/platform/content/present-content.ts';
import { deleteContent } from '#origin/platform/content/writing/write-content.ts';
import { failure, item, type AnyCall, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { EDITORS_PATH, tableLink, editLink } from '#origin/platform/site/editor-links.ts';
import { updateSeoOptions, loadSeoOptions, type SeoOptions } from '../options.ts';
import { managerRules } from '../authorize.ts';
import { recordFirstTime } from '../state/serve-state.ts';
import { scoreRank, type ScoreRank } from '#contracts/seo/scores.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { hasNoindexSetting, storedScore, storedSetting } from '../object-settings.ts';
import { unionAll } from 'drizzle-orm/pg-core';
import { decodeHtml } from '#contracts/html/html-text.ts';

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

const TYPES = ['post', 'page'] as const;
const RECENT_DAYS = 60;
const MAX_CHILDREN = 100;

/** Improvement of many texts: one task per content type, with a child task per text. */
interface Improvement {
  name: string;
  /** Minutes per text. */
  duration: number;
  /** Condition on the affected texts. */
  condition: SQL | undefined;
  rank(text: TextSummary): ScoreRank;
  hasAnalyzer: boolean;
  title: string;
  about: string;
}

const IMPROVEMENTS: readonly Improvement[] = [
  {
    name: 'improve-content-readability',
    duration: 10,
    condition: gt(storedScore('reading_minutes'), 0),
    rank: ({ readabilityScore }) => scoreRank(readabilityScore) ?? 'bad',
    hasAnalyzer: true,
    title: 'Make recent texts easier to read',
    about: 'Readers stay longer with short sentences and clear paragraphs.',
  },
  {
    name: 'improve-content-seo',
    duration: 10,
    condition: and(gt(storedScore('seo_score'), 0), not(hasNoindexSetting())),
    rank: ({ seoScore }) => scoreRank(seoScore) ?? 'bad',
    hasAnalyzer: true,
    title: 'Help readers find recent texts',
    about: 'Follow the advice for the keyphrase of each text.',
  },
  {
    name: 'improve-default-meta-descriptions',
    duration: 5,
    condition: undefined,
    rank: ({ description }) => (description === '' ? 'ok' : 'good'),
    hasAnalyzer: false,
    title: 'Write descriptions of recent texts',
    about: 'Search results show the description below the title. Without one, they pick a sentence of the text.',
  },
];

interface Group {
  type: (typeof TYPES)[number];
  improvement: Improvement;
}

function listGroups({ templates }: SeoOptions): Group[] {
  const groups = TYPES.flatMap((type) => IMPROVEMENTS.map((improvement) => ({ type, improvement })));
  // A template with variables already describes each text.
  return groups.filter(
    ({ type, improvement }) => improvement.hasAnalyzer || !templates[type]?.description?.includes('%%'),
  );
}

/** Returns queries for the texts of the improvement tasks. */
function improvementQueries(options: SeoOptions): TextQuery[] {
  const since = toSiteTime(new Date(Date.now() - RECENT_DAYS * 24 * 60 * 60 * 1000), 'UTC');
  const isRecent = and(eq(content.status, 'publish'), gte(content.modifiedGmt, since));
  return listGroups(options).map(({ type, improvement }) => ({
    name: groupId({ type, improvement }),
    condition: and(eq(content.type, type), isRecent, improvement.condition),
    most: MAX_CHILDREN,
  }));
}

function groupId({ type, improvement }: Group): string {
  return `${improvement.name}-${type}`;
}

/** Creates a task per improvement and content type, each followed by its child tasks. */
function improvementTasks(
  call: AnyCall,
  options: SeoOptions,
  found: ReadonlyMap<string, readonly TextSummary[]>,
): Task[] {
  return listGroups(options).flatMap((group) => createTasks(call, group, found.get(groupId(group)) ?? []));
}

function createTasks(call: AnyCall, { type, improvement }: Group, texts: readonly TextSummary[]): Task[] {
  const { title, about } = improvement;
  const id = groupId({ type, improvement });
  const children = texts.map((text): Task => ({
    ...childTask(call, text, { type, improvement }),
    parentTaskId: id,
  }));
  const open = children.filter(({ isCompleted }) => !isCompleted);
  const parent: Task = {
    id,
    duration: open.reduce((minutes, { duration }) => minutes + duration, 0),
    priority: 'medium',
    badge: null,
    isCompleted: open.length === 0,
    callToAction: null,
    title: `${title} (${type === 'post' ? 'posts' : 'pages'})`,
    about,
    isParentTask: true,
  };
  return [parent, ...children];
}

const RESULTS = { good: 'Well done', ok: 'Nearly there', bad: 'Much to gain' } as const;

function childTask({ addresses }: AnyCall, text: TextSummary, { type, improvement }: Group): Task {
  const { name, duration, about, hasAnalyzer } = improvement;
  const result = improvement.rank(text);
  const title = text.title === '' ? `Untitled (${text.id})` : text.title;
  const analyzer = {
    type: 'score' as const,
    title: name === 'improve-content-seo' ? 'How it is found' : 'How it reads',
    result,
    resultLabel: RESULTS[result],
    resultDescription: about,
  };
  return {
    id: `${name}-${type}-${text.id}`,
    duration,
    priority: result === 'bad' ? 'high' : 'medium',
    badge: null,
    isCompleted: result === 'good',
    callToAction: { label: 'Edit', type: 'edit', href: editLink(addresses, { type, id: text.id }) },
    title,
    about: `<p>${escapeHtml(about)}</p>`,
    analyzer: hasAnalyzer ? analyzer : null,
  };
}

/** Query for a group of texts. */
interface TextQuery {
  name: string;
  condition: SQL | undefined;
  /** Maximum number of texts, most recently changed first. */
  most: number;
}

interface TextSummary {
  id: number;
  title: string;
  description: string;
  seoScore: number;
  readabilityScore: number;
}

/** Finds the texts of groups by group name, most recently changed first, in one statement. */
async function findTexts(
  { context }: AnyCall,
  ...[first, second, ...rest]: readonly [TextQuery, TextQuery, ...TextQuery[]]
): Promise<ReadonlyMap<string, TextSummary[]>> {
  const select = ({ name, condition, most }: TextQuery) =>
    context.store.db
      .select({
        group: sql<string>`${name}::text`,
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
    ({ group }) => group,
  );
}
