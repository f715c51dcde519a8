import { and, desc, eq, gt, gte, not, sql, type SQL } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/index.ts';
import { scoreRank, type ScoreRank, type Task } from '#contracts/seo/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { toSiteTime } from '#origin/platform/site/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { editLink } from '#origin/platform/site/editor-links.ts';
import type { SeoOptions } from '../options.ts';
import { isSetNoindex, storedSetting } from '../records/object-settings.ts';
import { seoRecord } from '../records/tables.ts';

const TYPES = ['post', 'page'] as const;
const RECENT_DAYS = 60;
const MAX_CHILDREN = 100;

/** What can be improved of many texts: a task for all of a type, and one for each. */
interface Improvement {
  name: string;
  /** Minutes for one text. */
  duration: number;
  /** Texts that it is about. */
  condition: SQL | undefined;
  rank(text: RecentText): ScoreRank;
  hasAnalyzer: boolean;
  title: string;
  about: string;
}

interface RecentText {
  id: number;
  title: string;
  description: string;
  seoScore: number;
  readabilityScore: number;
}

const IMPROVEMENTS: readonly Improvement[] = [
  {
    name: 'improve-content-readability',
    duration: 10,
    condition: gt(seoRecord.readingMinutes, 0),
    rank: ({ readabilityScore }) => scoreRank(readabilityScore) ?? 'bad',
    hasAnalyzer: true,
    title: 'Make recent texts easier to read',
    about: 'Readers stay with texts of short sentences and clear paragraphs.',
  },
  {
    name: 'improve-content-seo',
    duration: 10,
    condition: and(gt(seoRecord.seoScore, 0), not(isSetNoindex())),
    rank: ({ seoScore }) => scoreRank(seoScore) ?? 'bad',
    hasAnalyzer: true,
    title: 'Help readers find recent texts',
    about: 'Follow the advice that each text gets for its keyphrase.',
  },
  {
    name: 'improve-default-meta-descriptions',
    duration: 5,
    condition: undefined,
    rank: ({ description }) => (description === '' ? 'ok' : 'good'),
    hasAnalyzer: false,
    title: 'Write descriptions of recent texts',
    about: 'Search results show the description below the title. Without one they choose a sentence themselves.',
  },
];

/** A task for each kind of improvement and type of content, each followed by the tasks that it consists of. */
export async function improvementTasks(call: AnyCall, { templates }: SeoOptions): Promise<Task[]> {
  const groups = TYPES.flatMap((type) => IMPROVEMENTS.map((improvement) => ({ type, improvement })));
  // A template with variables describes each text already.
  const needed = groups.filter(
    ({ type, improvement }) => improvement.hasAnalyzer || !templates[type]?.description?.includes('%%'),
  );
  const tasks = await Promise.all(needed.map((group) => tasksOf(call, group)));
  return tasks.flat();
}

interface Group {
  type: (typeof TYPES)[number];
  improvement: Improvement;
}

async function tasksOf(call: AnyCall, { type, improvement }: Group): Promise<Task[]> {
  const { name, title, about } = improvement;
  const id = `${name}-${type}`;
  const children = (await findRecent(call, type, improvement.condition)).map((text): Task => ({
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

function childTask({ addresses }: AnyCall, text: RecentText, { type, improvement }: Group): Task {
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

async function findRecent({ context }: AnyCall, type: string, condition: SQL | undefined): Promise<RecentText[]> {
  const since = toSiteTime(new Date(Date.now() - RECENT_DAYS * 24 * 60 * 60 * 1000), 'UTC');
  const rows = await context.store.db
    .select({
      id: content.id,
      title: content.title,
      description: storedSetting('description'),
      seoScore: sql<number>`coalesce(${seoRecord.seoScore}, 0)`,
      readabilityScore: sql<number>`coalesce(${seoRecord.readabilityScore}, 0)`,
    })
    .from(content)
    .leftJoin(seoRecord, and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, content.id)))
    .where(and(eq(content.type, type), eq(content.status, 'publish'), gte(content.modifiedGmt, since), condition))
    .orderBy(desc(content.modifiedGmt), desc(content.id))
    .limit(MAX_CHILDREN);
  return rows.map((row) => ({ ...row, title: decodeHtml(row.title) }));
}
