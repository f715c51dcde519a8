import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { hasStockNames } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { editorPages } from '#origin/admin/editors/editor-pages.ts';
import { managementApp } from '#origin/admin/management/management-app.ts';
import { accountPages } from '#origin/platform/accounts/account-pages.ts';
import { AUTHORIZATION_PATH, STOCK_AUTHORIZATION_PATH } from '#origin/platform/accounts/authorization.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import { productInterface } from '#origin/product/product-interface.ts';
import { EDITORS_PATH } from '#origin/platform/site/editor-links.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { MODULES } from './modules.ts';
import { errorPage } from './error-page.ts';
import { openApiPages } from './openapi/openapi-pages.ts';
import { publishingInterface, createPublishingRoutes } from './publishing/publishing-interface.ts';
import { serveFiles } from './serve-files.ts';

/** Link relation with which clients discover the publishing interface. */
const REST_RELATION = 'https://api.w.org/';

/** Creates the server with both interfaces, the account pages, the files and the management endpoint. */
export function createOrigin(context: OriginContext, modules: readonly NamespaceModule[] = MODULES): Hono {
  const app = new Hono();
  app.route(`/${PRODUCT_ROOT.replace(/\/$/, '')}`, productInterface(context));
  app.route(EDITORS_PATH, editorPages(context));
  app.route('/admin', accountPages(context));
  if (hasStockNames(context.namespaces)) {
    app.get(STOCK_AUTHORIZATION_PATH, (c) => c.redirect(AUTHORIZATION_PATH + new URL(c.req.url).search, 302));
  }
  app.route('/manage/v1', managementApp(context));
  for (const [folder, files] of Object.entries(context.files)) app.mount(`/${folder}`, serveFiles(files).fetch);
  const routes = createPublishingRoutes(context, modules);
  app.get('/healthz', () => reportHealth(context));
  app.route('/', openApiPages(context, routes, modules));
  app.route('/', publishingInterface(context, modules, routes));
  app.get('/', () => frontPage(context));
  app.notFound(() => errorPage(404));
  app.onError((error, c) => {
    logError(context.log, `[${c.req.method}] "${c.req.path}" failed`, error);
    return errorPage(500);
  });
  return app;
}

const HEALTH_TIMEOUT_MS = 5000;

/** Responds with 200 if the store answers a query in time, otherwise with 503. */
async function reportHealth({ store, log }: OriginContext): Promise<Response> {
  const isWell = await Promise.race([
    store.db.execute(sql`select 1`).then(
      () => true,
      (error: unknown) => {
        logError(log, 'The store is not responding', error);
        return false;
      },
    ),
    new Promise<false>((resolve) => void setTimeout(() => resolve(false), HEALTH_TIMEOUT_MS).unref()),
  ]);
  return Response.json(
    { status: isWell ? 'ok' : 'unavailable' },
    { status: isWell ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** Renders the origin's home page, with links for people and clients. */
async function frontPage(context: OriginContext): Promise<Response> {
  const { name } = await loadSite({ context, requestMemo: new Memo() });
  const title = name === '' ? 'Origin' : name;
  const rest = `${context.publicUrl}/${context.restRoot}/`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <link rel="${REST_RELATION}" href="${rest}" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        <ul>
          <li><a href="${rest}">Publishing interface</a></li>
          <li><a href="${context.publicUrl}/${PRODUCT_ROOT}">Product interface</a></li>
          <li><a href="${context.publicUrl}/admin/">Accounts and tokens</a></li>
        </ul>
      </body>
    </html> `;
  return new Response(String(page), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      Link: `<${rest}>; rel="${REST_RELATION}"`,
    },
  });
}
