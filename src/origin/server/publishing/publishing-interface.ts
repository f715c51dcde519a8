import { Hono, type Context } from 'hono';
import { toWirePath, describeSystemError } from '#contracts/index.ts';
import type { HttpBindings } from '@hono/node-server';
import { serveContent } from '#origin/platform/content/serve-content.ts';
import { NO_PROXIES, getRequestAddress } from '#origin/platform/context/client-address.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { ANONYMOUS, type Caller } from '#origin/platform/http/callers/caller.ts';
import { createAuthenticator, restNonce } from '#origin/platform/http/callers/authenticate.ts';
import { addresses } from '#origin/platform/http/transport/call.ts';
import { errorResponse, type RestResponse } from '#origin/platform/http/transport/dispatch.ts';
import { RouteRegistry, type ServedPath } from '#origin/platform/http/transport/route-registry.ts';
import { createCommonError, RestError } from '#origin/platform/http/transport/rest-error.ts';
import { respond } from '#origin/platform/http/transport/respond.ts';
import { parseCallback, readRequest } from '#origin/platform/http/transport/rest-request.ts';
import { serveRequest } from '#origin/platform/http/transport/serve-request.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { createResponseTooLargeError } from '#origin/platform/http/transport/bounded-body.ts';
import { exceededLimit } from '#origin/platform/store/query-errors.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import { MODULES } from '../modules.ts';
import { serveNamespaceIndexes, serveSiteIndex, describePathWithSchema } from './description/serve-indexes.ts';

/** Registers every route of the interface, under the namespace names of the context. */
export function createPublishingRoutes(
  context: OriginContext,
  modules: readonly NamespaceModule[] = MODULES,
): RouteRegistry {
  const registry = new RouteRegistry(
    context.namespaces,
    modules.flatMap(({ namespaces }) => namespaces),
  );
  serveSiteIndex(registry, modules);
  for (const { contentKinds = [], serve } of modules) {
    for (const kind of contentKinds) if ('routes' in kind) serveContent(registry, kind);
    serve(registry, modules);
  }
  serveNamespaceIndexes(registry);
  // Responses that are converted to another format must not be cached as JSON.
  const convertedPaths = new Set(modules.flatMap(({ forms = {} }) => Object.keys(forms)));
  for (const { path, routes } of registry.paths)
    if (convertedPaths.has(path)) for (const route of routes) route.isKept = false;
  return registry;
}

/** Serves the publishing interface at `/<restRoot>`, below it, and at `/?rest_route=`. */
export function publishingInterface(
  context: OriginContext,
  modules: readonly NamespaceModule[] = MODULES,
  registry = createPublishingRoutes(context, modules),
): Hono {
  context.store.writes.ignore(modules.flatMap(({ unshownTables = [] }) => unshownTables));
  const handle = convertResponses(httpEndpoint(context, registry), registry, modules);
  const app = new Hono();
  const root = `/${context.restRoot}`;
  app.all(root, (c) => handle(c, ''));
  app.all(`${root}/*`, (c) => handle(c, new URL(c.req.raw.url).pathname.slice(root.length)));
  app.all('/', (c, next) => {
    const path = c.req.query('rest_route');
    return path === undefined ? next() : handle(c, path);
  });
  for (const { pages } of modules) if (pages) app.get('*', pages(context));
  return app;
}

/** Converts JSON responses to a route's own format, such as XML, that no contract describes. */
function convertResponses(
  handle: HttpEndpoint,
  registry: RouteRegistry,
  modules: readonly NamespaceModule[],
): HttpEndpoint {
  const forms = new Map(modules.flatMap(({ forms: declared = {} }) => Object.entries(declared)));
  return async (c, path) => {
    const [route] = forms.size > 0 ? registry.find(path.replaceAll(/^\/|\/$/g, '')) : [];
    const form = route && forms.get(route.served.path);
    const response = await handle(c, path);
    // A requested JSONP script is sent unchanged.
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (!form || !isJson) return response;
    // The header has the length of the JSON.
    response.headers.delete('Content-Length');
    return form(response, c.req.raw);
  };
}

/** Handles a request for a path below the REST root. */
type HttpEndpoint = (c: Context, path: string) => Promise<Response>;

/** Creates the HTTP handler: authenticates, parses, serves and responds. */
function httpEndpoint(context: OriginContext, registry: RouteRegistry): HttpEndpoint {
  const links = addresses(context.publicUrl, context.restRoot, context.namespaces);
  const authenticate = createAuthenticator(context);
  const described = new Map<ServedPath, object>();
  const describe = (served: ServedPath) => {
    const cached = described.get(served);
    if (cached) return cached;
    const name = toWirePath(served.namespace, context.namespaces);
    const description = describePathWithSchema(served, name, links.rest);
    described.set(served, description);
    return description;
  };

  return async (c, path) => {
    const raw = c.req.raw;
    const parameters = new URL(raw.url).searchParams;
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
    let caller: Caller = ANONYMOUS;
    let callback: string | undefined;
    let outcome: RestResponse;
    const requestMemo = new Memo();
    try {
      const credentials = {
        authorization: raw.headers.get('authorization') ?? undefined,
        cookie: raw.headers.get('cookie') ?? undefined,
        nonce: raw.headers.get('x-wp-nonce') ?? parameters.get('_wpnonce') ?? undefined,
        clientAddress: getRequestAddress(incoming, raw.headers, context.trustedProxies ?? NO_PROXIES),
      };
      caller = await authenticate(credentials);
      callback = parseCallback(parameters.get('_jsonp'), context.jsonp ?? false);
      const request = readRequest(raw, path, incoming);
      const requestContext = { context, registry, addresses: links, caller, requestMemo };
      outcome = await serveRequest(request, requestContext, describe);
    } catch (error) {
      outcome = errorResponse(error instanceof RestError ? error : fault(context, raw, error));
    }
    return respond(outcome, {
      root: links.rest(''),
      method: raw.method,
      isSignedIn: caller.user !== undefined,
      origin: raw.headers.get('origin') ?? undefined,
      envelope: parameters.has('_envelope'),
      pretty: parameters.has('_pretty'),
      isVolatile: isVolatile(outcome, raw),
      ...(context.jsonp === true && parameters.get('_jsonp') ? { script: { callback } } : {}),
      ...(caller.session === undefined ? {} : { extra: { 'X-WP-Nonce': restNonce(context, caller.session) } }),
    });
  };
}

/** Errors for a bad nonce or under an overridden method must not be cached. */
function isVolatile({ status, body }: RestResponse, raw: Request): boolean {
  const isBadNonce =
    typeof body === 'object' && body !== null && 'code' in body && body.code === 'rest_cookie_invalid_nonce';
  return isBadNonce || (status >= 400 && raw.headers.has('x-http-method-override'));
}

function fault({ log }: OriginContext, { method, url }: Request, error: unknown): RestError {
  const limit = exceededLimit(error);
  if (limit === 'result') return createResponseTooLargeError();
  if (limit === 'value')
    return createCommonError('rest_body_too_large', 'A value is too long to be stored. Send a shorter one.');
  logError(log, `[${method}] "${new URL(url).pathname}" failed`, error);
  if (describeSystemError(error)?.isStorage) {
    const message = "The server's disk is full. Nothing was changed. Free space on it, then send the request again.";
    return createCommonError('insufficient_storage', message);
  }
  return createCommonError('internal_server_error', 'The server failed to respond. See its log for details.');
}
