import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { analyseHtml } from '../analyse-html.ts';
import { filterFootnotes } from '../filter-footnotes.ts';
import { filterHtml, filterInline } from '../filter-html.ts';
import { autoparagraph, renderContent, renderExcerpt } from '../render-excerpt.ts';
import { texturise } from '../texturise.ts';
import { findEmbedUrls } from '../render-blocks.ts';

/** Pure functions that may take long for a large text, by job name. */
export const TEXT_JOBS = {
  content: renderContent,
  excerpt: renderExcerpt,
  paragraphs: (text: string) => autoparagraph(texturise(text)),
  filter: filterHtml,
  filterInline,
  footnotes: filterFootnotes,
  addresses: findEmbedUrls,
  analyse: analyseHtml,
  transcript: parseTranscript,
} as const;

export type TextJob = keyof typeof TEXT_JOBS;

export function runJob(job: TextJob, args: readonly unknown[]): unknown {
  const work = TEXT_JOBS[job] as unknown as (...args: readonly unknown[]) => unknown;
  return work(...args);
}
