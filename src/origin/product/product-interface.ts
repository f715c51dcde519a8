import { Hono } from 'hono';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { answerView } from './answer-view.ts';
import { callerThrottle } from './caller-throttle.ts';
import { describeFault } from './describe-fault.ts';
import { findView } from './find-view.ts';
import { HTML_ERRORS } from './html-errors.ts';
import { productViews } from './product-views.ts';

/**
 * The product interface (section 4 of its document), to be mounted at `/api/partner/v1`. It answers like the
 * framework that interfaces of this kind are built on, down to the bodies of errors.
 *
 * Who may read: the holder of a token, and a signed-in browser on GET, HEAD and OPTIONS; accounts with the role
 * `subscriber` get a 403. `docs/` is for everybody and shows the caller's tokens.
 */
export function productInterface(context: OriginContext): Hono {
  const views = productViews(context);
  const throttle = callerThrottle(context.product.requestsPerMinute);
  const app = new Hono();

  app.all('*', (c) => {
    const { pathname, search, searchParams } = new URL(c.req.url);
    const path = pathname.slice(1 + PRODUCT_ROOT.length);
    const found = pathname.startsWith(`/${PRODUCT_ROOT}`) ? findView(views, path) : undefined;
    if (found) {
      return answerView(context, throttle, found.view, {
        method: c.req.method,
        target: pathname + search,
        params: found.params,
        query: searchParams,
        header: (name) => c.req.header(name),
      });
    }
    const isSlashMissing =
      !pathname.endsWith('/') && (`${pathname}/` === `/${PRODUCT_ROOT}` || findView(views, `${path}/`));
    return isSlashMissing ? addSlash(pathname, search) : sendPage(404);
  });

  app.onError((error, c) => {
    context.log(`${c.req.method} ${c.req.path} failed: ${describeFault(error)}`);
    return sendPage(500);
  });

  return app;
}

/** Before anything else is looked at, for every method. The connection is closed, as those servers do here. */
function addSlash(pathname: string, search: string): Response {
  return new Response(null, {
    status: 301,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      Location: `${pathname}/${search}`,
      'Content-Length': '0',
      Connection: 'close',
    },
  });
}

function sendPage(status: keyof typeof HTML_ERRORS): Response {
  const page = HTML_ERRORS[status];
  return new Response(page, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(Buffer.byteLength(page)) },
  });
}
