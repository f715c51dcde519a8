import { INDEXING } from '#contracts/seo/indexing.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type RouteRegistry,
} from '#origin/platform/http/transport/index.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import { indexArchives, indexContent, indexLinks, indexSitePages, indexTerms } from '../records/index-records.ts';
import type { SeoRecord } from '../records/tables.ts';
import { presentRecords } from './present-record.ts';

type Step = (typeof INDEXING)[keyof typeof INDEXING];
type StepCall = Call<Step['route']>;

/** Serves the routes that build missing records. Writes update records, so that there is rarely anything to do. */
export function serveIndexing(registry: RouteRegistry): void {
  const serve = (step: Step, build: (call: StepCall) => Promise<SeoRecord[]>) =>
    registry.serve(step.route, (call: StepCall) => runStep(call, step, build), { permit: authorize });
  serve(INDEXING.prepare, nothingToBuild);
  serve(INDEXING.terms, ({ context }) => indexTerms(context, INDEXING.terms.batch));
  serve(INDEXING.content, ({ context }) => indexContent(context, INDEXING.content.batch));
  serve(INDEXING.archives, ({ context }) => indexArchives(context));
  serve(INDEXING.general, ({ context }) => indexSitePages(context));
  serve(INDEXING.recordsComplete, nothingToBuild);
  serve(INDEXING.contentLinks, ({ context }) => indexLinks(context, 'post', INDEXING.contentLinks.batch));
  serve(INDEXING.termLinks, ({ context }) => indexLinks(context, 'term', INDEXING.termLinks.batch));
  serve(INDEXING.complete, nothingToBuild);
}

function authorize({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'edit_posts')) throw refuse('rest_forbidden', 'Only users who write posts may build records.');
}

/** Handles steps that only report progress. Nothing is stored. */
const nothingToBuild = () => Promise.resolve([]);

async function runStep(
  call: StepCall,
  { route, batch }: Step,
  build: (call: StepCall) => Promise<SeoRecord[]>,
): Promise<ResultOf<Step['route']>> {
  const records = await build(call).catch((error: unknown) => {
    call.context.log(`SEO records could not be built: ${describeError(error)}`);
    throw call.refuse('seo_error_indexing', 'Records could not be built. See the log of the origin.');
  });
  const hasMore = batch > 0 && records.length >= batch;
  return item({
    objects: await presentRecords(call, records),
    next_url: hasMore ? call.addresses.rest(route.path) : (false as const),
  });
}
