import { and, eq, gt, gte, not, type SQL } from 'drizzle-orm';
import { scoreRank, type ScoreRank } from '#contracts/seo/scores.ts';
import type { Task } from '#contracts/seo/tasks.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { editLink } from '#origin/platform/site/editor-links.ts';
import type { SeoOptions } from '../options.ts';
import { hasNoindexSetting } from '../records/object-settings.ts';
import { seoRecord } from '../records/tables.ts';
import type { TextSummary, TextQuery } from './find-texts.ts';

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
    condition: gt(seoRecord.readingMinutes, 0),
    rank: ({ readabilityScore }) => scoreRank(readabilityScore) ?? 'bad',
    hasAnalyzer: true,
    title: 'Make recent texts easier to read',
    about: 'Readers stay longer with short sentences and clear paragraphs.',
  },
  {
    name: 'improve-content-seo',
    duration: 10,
    condition: and(gt(seoRecord.seoScore, 0), not(hasNoindexSetting())),
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
export function improvementQueries(options: SeoOptions): TextQuery[] {
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
export function improvementTasks(
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
