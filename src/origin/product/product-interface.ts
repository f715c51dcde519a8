import { Hono } from 'hono';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import * as routes from '#contracts/product/routes.ts';
import { pageResponse, renderPage } from '#origin/platform/accounts/account-page.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import {
  createCallerThrottle,
  ProductError,
  SAFE_METHODS,
  authenticateCaller,
  createAuthenticationError,
  type ProductCaller,
  type ProductRequest,
  type ProductView,
  JSON_RENDERER,
  PAGE_RENDERER,
  LINES_RENDERER,
  DOCUMENT_RENDERER,
  negotiateFormat,
  type Representation,
} from './product-request.ts';
import {
  resolveLanguage,
  parseLanguage,
  rejectLanguage,
  findLanguages,
  findProduct,
  matchesChanges,
  productListView,
} from './find-product.ts';
import { presentProduct, respondWithView, encodeJson, describeView } from './present-product.ts';
import { renderAccessSection, renderDocs } from './render-docs.ts';
import { and, asc, sql, type SQL } from 'drizzle-orm';
import { product } from '#origin/platform/store/schema.ts';
import { canReadProducts } from '#origin/platform/accounts/product-tokens.ts';
import { z } from 'zod';
import { isGtin13 } from '#contracts/index.ts';
import { defineAbility } from '#origin/platform/abilities/ability.ts';
import { tryDecode } from '#contracts/scan-text.ts';

/** Patterns of path captures. Any 13 digits address a product; a wrong check digit is an unknown product. */
const CAPTURES: Readonly<Record<string, string>> = { gtin: '\\d{13}' };

/**
 * Returns one product. Without `?language=` it is in the main language; `Accept-Language` is ignored. Unknown languages
 * and missing translations both follow the option `unknownLanguage`.
 */
const productDetailView: ProductView<typeof routes.getProduct> = {
  route: routes.getProduct,
  name: 'Product Detail',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { params, query }) {
    const wanted = parseLanguage(query);
    const found = await findProduct(context, params['gtin'] ?? '', wanted);
    if (wanted !== undefined && found?.language !== wanted) {
      // Report a wrong parameter before an unknown product: validation comes before the look-up.
      const isKnown = !found && (await findLanguages(context)).some(({ code }) => code === wanted);
      if (!isKnown) rejectLanguage(context, query);
    }
    if (!found) throw new ProductError('noSuchProduct');
    return presentProduct(context, found.record);
  },
};

const LINKS = { product: routes.getProduct, language: routes.listLanguages, docs: routes.getProductDocs };

/** Lists the names and addresses of the resources. The product's address is a template with `{gtin}`. */
const productIndexView: ProductView<typeof routes.getProductIndex> = {
  route: routes.getProductIndex,
  name: 'Product Index',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { query }) {
    const language = await resolveLanguage(context, query);
    const links = { ...LINKS, ...(context.product.additions && routes.PRODUCT_ADDITIONS) };
    return Object.fromEntries(
      Object.entries(links).map(([name, route]) => {
        const address = `${context.publicUrl}/${PRODUCT_ROOT}${route.path.replace(/<(\w+)>/g, '{$1}')}`;
        return [name, route === routes.getProduct && language ? `${address}?language=${language}` : address];
      }),
    );
  },
};

/** Public documentation. It shows callers their own tokens in clear text, so it must not be cached. */
const docsView: ProductView<typeof routes.getProductDocs> = {
  route: routes.getProductDocs,
  name: 'Documentation',
  renderers: [DOCUMENT_RENDERER],
  async read(context, visit) {
    const body = renderDocs(context, await findLanguages(context), await renderAccessSection(context, visit));
    const { caller, target } = visit;
    const page = await renderPage(context, {
      title: 'Dokumentation der Produktschnittstelle',
      body,
      session: caller?.session,
      path: target,
    });
    return pageResponse(page, 200, { 'Cache-Control': 'no-store' });
  },
};

/** Addition: all records in one response, as stored, without a fallback language. */
const productExportView: ProductView<typeof routes.exportProducts> = {
  route: routes.exportProducts,
  name: 'Product Export',
  renderers: [LINES_RENDERER],
  async read(context, { query }) {
    const filter = matchesChanges(query, await resolveLanguage(context, query));
    return new Response(streamProducts(context, filter), {
      headers: { 'Content-Type': LINES_RENDERER.mediaType, 'X-Content-Type-Options': 'nosniff' },
    });
  },
};

/** Lists the languages by position; the first is the main one. */
const languageListView: ProductView<typeof routes.listLanguages> = {
  route: routes.listLanguages,
  name: 'Language List',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  read: findLanguages,
};

/**
 * Serves the product interface (section 4 of its document), to be mounted at `/api/partner/v1`. It responds like the
 * framework that interfaces of this kind are built on, down to error bodies.
 *
 * Token holders may read, as may signed-in browsers on GET, HEAD and OPTIONS. Accounts with the role `subscriber` get a
 * 403. `docs/` is public and shows the caller's tokens.
 */
export function productInterface(context: OriginContext): Hono {
  const views = listProductViews(context);
  const throttle = createCallerThrottle(context.product.requestsPerMinute);
  const app = new Hono();

  app.all('*', (c) => {
    const { pathname, search, searchParams } = new URL(c.req.url);
    const path = pathname.slice(1 + PRODUCT_ROOT.length);
    const found = pathname.startsWith(`/${PRODUCT_ROOT}`) ? findView(views, path) : undefined;
    if (found) {
      return handleView(context, throttle, found.view, {
        method: c.req.method,
        target: pathname + search,
        params: found.params,
        query: searchParams,
        header: (name) => c.req.header(name),
      });
    }
    const isSlashMissing =
      !pathname.endsWith('/') && (`${pathname}/` === `/${PRODUCT_ROOT}` || findView(views, `${path}/`));
    return isSlashMissing ? addSlash(pathname, search) : sendErrorPage(404);
  });

  app.onError((error, c) => {
    logError(context.log, `${c.req.method} ${c.req.path} failed`, error);
    return sendErrorPage(500);
  });

  return app;
}

/** Redirects to the path with a slash, for every method. Closes the connection, as those servers do. */
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

const HTML_ERRORS = {
  404: ['Not Found', 'The requested resource was not found on this server.'],
  500: ['Server Error (500)', ''],
} as const;

/** Sends the error page of servers of this kind from outside their views, byte for byte. */
function sendErrorPage(status: keyof typeof HTML_ERRORS): Response {
  const [title, text] = HTML_ERRORS[status];
  const page = `
<!doctype html>
<html lang="en">
<head>
  <title>${title}</title>
</head>
<body>
  <h1>${title}</h1><p>${text}</p>
</body>
</html>
`;
  return new Response(page, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': String(Buffer.byteLength(page)) },
  });
}

export function listProductViews(context: OriginContext): ProductView[] {
  const additions = context.product.additions ? [productListView, productExportView] : [];
  return [productIndexView, productDetailView, languageListView, docsView, ...additions];
}

/** Finds the view of a percent-encoded path. Letter case, slashes and the number of digits must match. */
function findView(views: readonly ProductView[], path: string) {
  const plain = tryDecode(path);
  for (const view of views) {
    const match = plain === undefined ? null : patternOf(view.route.path).exec(plain);
    if (match) return { view, params: { ...match.groups } };
  }
  return undefined;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${CAPTURES[name] ?? '[^/]+'})`)}$`);
}

const BATCH_ROWS = 200;

type ProductKey = Pick<typeof product.$inferSelect, 'gtin' | 'language'>;

/**
 * Streams every record as NDJSON, by GTIN and language. Only one batch is in memory, and the next is read on demand, so
 * slow clients don't exhaust it. Each record is sent at most once, as it is when its batch is read. An error aborts the
 * stream, so that a partial export isn't mistaken for a complete one.
 */
export function streamProducts(context: OriginContext, filter?: SQL): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let last: ProductKey | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const rows = await readBatch(context, filter, last);
          last = rows.at(-1);
          const lines = rows.map(({ record }) => `${encodeJson(presentProduct(context, record))}\n`);
          if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
          if (rows.length < BATCH_ROWS) controller.close();
        } catch (error) {
          logError(context.log, 'The product export failed', error);
          controller.error(new Error('The product export failed'));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

function readBatch({ store: { db } }: OriginContext, filter: SQL | undefined, after: ProductKey | undefined) {
  return db
    .select({ gtin: product.gtin, language: product.language, record: product.record })
    .from(product)
    .where(and(after && sql`(${product.gtin}, ${product.language}) > (${after.gtin}, ${after.language})`, filter))
    .orderBy(asc(product.gtin), asc(product.language))
    .limit(BATCH_ROWS);
}

/**
 * Handles a request whose path has a view. Checks in the order of the imitated framework: response format, caller,
 * permission, rate limit, method, view.
 */
async function handleView(
  context: OriginContext,
  throttle: ReturnType<typeof createCallerThrottle>,
  view: ProductView,
  visit: ProductRequest,
): Promise<Response> {
  let representation: Representation = { renderer: JSON_RENDERER, indent: 0 };
  let caller: ProductCaller | undefined;
  try {
    representation = negotiateFormat(view.renderers, visit.header('accept'), visit.query.getAll('format').at(-1));
    caller = await authenticateCaller(context, visit);
    if (view.route.access !== 'public') {
      if (!caller) throw createAuthenticationError(context, 'notAuthenticated');
      if (!canReadProducts(caller.user)) throw new ProductError('forbidden');
    }
    if (caller) await throttle(caller.countAs);
    const { method } = visit;
    if (!SAFE_METHODS.includes(method)) throw new ProductError('methodNotAllowed', { values: { method } });
    const body = method === 'OPTIONS' ? describeView(view) : await view.read(context, { ...visit, caller });
    return await respondWithView(context, view, { ...visit, caller }, representation, { status: 200, body });
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return respondWithView(context, view, { ...visit, caller }, representation, error);
  }
}

export const getProductAbility = defineAbility({
  name: 'sortiment/get-product',
  label: 'Get Product',
  description: 'Reads a product by its GTIN, in the given language or otherwise in the main language.',
  category: 'site',
  annotations: { readonly: true, destructive: false, idempotent: true },
  input: z.strictObject({
    gtin: z
      .string()
      .refine(isGtin13)
      .meta({ description: 'GTIN-13', pattern: String.raw`^\d{13}$` }),
    language: z.string().optional().describe('Language code, such as de-de'),
  }),
  output: z.record(z.string(), z.unknown()).describe('The record in the form of the product interface.'),
  errors: { sortiment_product_not_found: 404 },
  isAvailable: async ({ store }) => (await store.db.select({ gtin: product.gtin }).from(product).limit(1)).length > 0,
  mayRun: ({ user }) => user !== undefined && canReadProducts(user),
  async run({ gtin, language }, { context, refuse }) {
    const found = await findProduct(context, gtin, language);
    if (!found) throw refuse('sortiment_product_not_found', `No product has the GTIN ${gtin}.`);
    return presentProduct(context, found.record);
  },
});
