import { getHead, listHeads } from '#contracts/seo/head.ts';
import type { ResultOf, Call, RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { composeHead } from './compose-head.ts';
import { findPage } from './find-page.ts';
import { headHtml } from './head-html.ts';
import { handleListHeads } from './list-heads.ts';
import { loadHeadContext, loadHeadPages } from './load-pages.ts';

/** Serves single heads of pages and lists of heads. */
export function serveHeads(registry: RouteRegistry): void {
  registry.serve(getHead, getPageHead);
  registry.serve(listHeads, handleListHeads);
}

async function getPageHead(call: Call<typeof getHead>): Promise<ResultOf<typeof getHead>> {
  const { context, addresses, caller, query } = call;
  const found = await findPage(context, addresses.site, query.url, caller);
  const scope = await loadHeadContext(call);
  const [page] = await loadHeadPages([found], scope);
  if (!page) throw new Error('The head of a page could not be loaded.');
  const json = composeHead(page, scope.head);
  const status = found.kind === '404' ? 404 : 200;
  return { status, body: { html: headHtml(json), json, status } };
}
