import { getHead } from '#contracts/seo/index.ts';
import type { AnswerOf, AnyCall, Call, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { loadSeoOptions } from '../options.ts';
import { composeHead } from './compose-head.ts';
import { findPage } from './find-page.ts';
import { headHtml } from './head-html.ts';
import { loadPages } from './load-pages.ts';
import { loadHeadSite } from './load-site.ts';

/** Serves heads of pages, one by one and in bulk. */
export function serveHeads(registry: RouteRegistry): void {
  registry.serve(getHead, answerHead);
}

async function answerHead(call: Call<typeof getHead>): Promise<AnswerOf<typeof getHead>> {
  const { context, addresses, caller, query } = call;
  const found = await findPage(context, addresses.site, query.url, caller);
  const scope = await loadHeadScope(call);
  const [page] = await loadPages([found], scope);
  if (!page) throw new Error('A page that was found is not there.');
  const json = composeHead(page, scope.head);
  const status = found.kind === '404' ? 404 : 200;
  return { status, body: { html: headHtml(json), json, status } };
}

/** What heads say of the site, loaded once a request. */
export async function loadHeadScope(call: Pick<AnyCall, 'context' | 'requestMemo'>) {
  const [site, options] = await Promise.all([loadSite(call), loadSeoOptions(call)]);
  return { context: call.context, site, head: await loadHeadSite(call.context, site, options) };
}
