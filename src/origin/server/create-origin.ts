import { Hono } from 'hono';
import { hasStockNames } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { accountPages, AUTHORIZATION_PATH, STOCK_AUTHORIZATION_PATH } from '#origin/platform/accounts/index.ts';
import { manageApp } from '#origin/admin/management/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { openApiPages } from './openapi/index.ts';
import { describeFault } from '#origin/product/describe-fault.ts';
import { productInterface } from '#origin/product/index.ts';
import { publishingInterface, publishingRoutes } from './publishing/publishing-interface.ts';
import { errorPage } from './error-page.ts';
import { frontPage } from './front-page.ts';
import { serveFiles } from './serve-files.ts';

/** Both interfaces, the account pages, the files, and the way in for the operator. */
export function createOrigin(context: OriginContext): Hono {
  const app = new Hono();
  app.route(`/${PRODUCT_ROOT.replace(/\/$/, '')}`, productInterface(context));
  app.route('/admin', accountPages(context));
  if (hasStockNames(context.namespaces)) {
    app.get(STOCK_AUTHORIZATION_PATH, (c) => c.redirect(AUTHORIZATION_PATH + new URL(c.req.url).search, 302));
  }
  app.route('/manage/v1', manageApp(context));
  for (const [folder, files] of Object.entries(context.files)) app.mount(`/${folder}`, serveFiles(files).fetch);
  const routes = publishingRoutes(context);
  app.route('/', openApiPages(context, routes));
  app.route('/', publishingInterface(context, routes));
  app.get('/', () => frontPage(context));
  app.notFound(() => errorPage(404));
  app.onError((error, c) => {
    context.log(`[${c.req.method}] "${c.req.path}" failed: ${describeFault(error)}`);
    return errorPage(500);
  });
  return app;
}
