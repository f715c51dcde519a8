import { INDEXING } from '#contracts/seo/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import {
  item,
  type AnswerOf,
  type AnyCall,
  type Call,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { describeFault } from '#origin/platform/store/describe-fault.ts';
import { changeSeoOptions, type SeoOptions } from '../options.ts';
import { indexArchives, indexContent, indexLinks, indexSitePages, indexTerms } from '../records/index-records.ts';
import type { SeoRecord } from '../records/tables.ts';
import { presentRecords } from './present-record.ts';

type Step = (typeof INDEXING)[keyof typeof INDEXING];
type StepCall = Call<Step['route']>;

/** Serves the routes that build what records of the site lack. Records follow writes, so there is seldom anything to do. */
export function serveIndexing(registry: RouteRegistry): void {
  const serve = (step: Step, build: (call: StepCall) => Promise<SeoRecord[]>) =>
    registry.serve(step.route, (call: StepCall) => answer(call, step, build), { permit });
  serve(
    INDEXING.prepare,
    note(() => ({ indexing_first_time: false, indexing_started: Math.floor(Date.now() / 1000) })),
  );
  serve(INDEXING.terms, ({ context }) => indexTerms(context, INDEXING.terms.batch));
  serve(INDEXING.content, ({ context }) => indexContent(context, INDEXING.content.batch));
  serve(INDEXING.archives, ({ context }) => indexArchives(context));
  serve(INDEXING.general, ({ context }) => indexSitePages(context));
  serve(
    INDEXING.recordsComplete,
    note(() => ({ indexables_indexing_completed: true })),
  );
  serve(INDEXING.contentLinks, ({ context }) => indexLinks(context, 'post', INDEXING.contentLinks.batch));
  serve(INDEXING.termLinks, ({ context }) => indexLinks(context, 'term', INDEXING.termLinks.batch));
  serve(
    INDEXING.complete,
    note(() => ({ indexing_reason: '', indexing_started: null })),
  );
}

function permit({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'edit_posts')) throw refuse('rest_forbidden', 'Records are built by those who write.');
}

/** A step that only notes how far the work is. */
function note(values: () => Partial<SeoOptions>) {
  return async (call: StepCall): Promise<SeoRecord[]> => {
    await changeSeoOptions(call, values());
    return [];
  };
}

async function answer(
  call: StepCall,
  { route, batch }: Step,
  build: (call: StepCall) => Promise<SeoRecord[]>,
): Promise<AnswerOf<Step['route']>> {
  const records = await build(call).catch(async (error: unknown) => {
    call.context.log(`Records could not be built: ${describeFault(error)}`);
    await changeSeoOptions(call, { indexing_reason: 'indexing_failed', indexing_started: null });
    throw call.refuse('seo_error_indexing', 'Records could not be built. The log of the origin says why.');
  });
  const hasMore = batch > 0 && records.length >= batch;
  return item({
    objects: await presentRecords(call, records),
    next_url: hasMore ? call.addresses.rest(route.path) : (false as const),
  });
}
