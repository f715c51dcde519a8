import { Hono, type Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { toWirePath, describeSystemError } from '#contracts/index.ts';
import { isFormTokenValid, signForm } from '#origin/platform/accounts/account-page.ts';
import { findSession } from '#origin/platform/accounts/sessions.ts';
import { failureThrottle } from '#origin/platform/accounts/sign-in.ts';
import { findApplicationPassword, findUserByLogin, throttleAccount } from '#origin/platform/accounts/users.ts';
import { serveContent } from '#origin/platform/content/serve-content.ts';
import { getClientAddress, getClientNetwork } from '#origin/platform/context/client-address.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { ANONYMOUS, createCaller, type Caller } from '#origin/platform/http/callers/caller.ts';
import { addresses } from '#origin/platform/http/transport/call.ts';
import { RouteRegistry, type ServedPath } from '#origin/platform/http/transport/route-registry.ts';
import { createCommonError, RestError } from '#origin/platform/http/transport/rest-error.ts';
import {
  createResponseTooLargeError,
  errorResponse,
  respond,
  type RestResponse,
} from '#origin/platform/http/transport/respond.ts';
import { parseCallback, readRequest, type HttpSource } from '#origin/platform/http/transport/rest-request.ts';
import { serveRequest } from '#origin/platform/http/transport/serve-request.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { exceededLimit } from '#origin/platform/store/store-limits.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import { MODULES } from '../modules.ts';
import { serveNamespaceIndexes, serveSiteIndex, describePathWithSchema } from './description/serve-indexes.ts';

/** Registers every route of the interface, under the namespace names of the context. */
export function createPublishingRoutes(context: OriginContext, modules: readonly NamespaceModule[] = MODULES) {
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
  const handle = httpEndpoint(context, registry, modules);
  const app = new Hono();
  const root = `/${context.restRoot}`;
  app.all(root, (c) => handle(c, ''));
  app.all(`${root}/*`, (c) => handle(c, undefined));
  app.all('/', (c, next) => {
    const path = c.req.query('rest_route');
    return path === undefined ? next() : handle(c, path);
  });
  for (const { pages } of modules) if (pages) app.get('*', pages(context));
  return app;
}

/** Creates the HTTP handler: authenticates, parses, serves and responds. The path is below the REST root. */
function httpEndpoint(
  context: OriginContext,
  registry: RouteRegistry,
  modules: readonly NamespaceModule[],
): (c: Context, path: string | undefined) => Promise<Response> {
  const links = addresses(context.publicUrl, context.restRoot, context.namespaces);
  const root = links.rest('');
  const authenticate = createAuthenticator(context);
  const forms = new Map(modules.flatMap(({ forms: declared = {} }) => Object.entries(declared)));
  const describe = (served: ServedPath) =>
    (served.description ??= describePathWithSchema(
      served,
      toWirePath(served.namespace, context.namespaces),
      links.rest,
    ));

  return async (c, rootPath) => {
    const raw = c.req.raw;
    const url = new URL(raw.url);
    const path = rootPath ?? url.pathname.slice(context.restRoot.length + 1);
    const { searchParams: parameters } = url;
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>;
    const http = { request: raw, incoming };
    let caller: Caller = ANONYMOUS;
    let callback: string | undefined;
    let outcome: RestResponse;
    const requestMemo = new Memo();
    try {
      caller = await authenticate(http, parameters.get('_wpnonce'));
      const sentCallback = parameters.get('_jsonp');
      if (sentCallback !== null) callback = parseCallback(sentCallback, context.jsonp ?? false);
      const scope = { context, registry, addresses: links, caller, requestMemo };
      outcome = await serveRequest(readRequest(http, url, path), scope, describe);
    } catch (error) {
      outcome = errorResponse(error instanceof RestError ? error : fault(context, raw, error));
    }
    const response = await respond(outcome, {
      root,
      method: raw.method,
      isSignedIn: caller.user !== undefined,
      origin: raw.headers.get('origin'),
      envelope: parameters.has('_envelope'),
      pretty: parameters.has('_pretty'),
      isVolatile: outcome.status >= 400 && isVolatile(outcome, raw),
      ...(context.jsonp === true && parameters.get('_jsonp') ? { script: { callback } } : {}),
      ...(caller.session === undefined ? {} : { extra: { 'X-WP-Nonce': restNonce(context, caller.session) } }),
    });
    // Some routes have another format, such as XML, that no contract describes. A JSONP script is sent unchanged.
    const form = forms.size > 0 && forms.get(registry.find(path.replaceAll(/^\/|\/$/g, ''))[0]?.served.path ?? '');
    if (!form || !response.headers.get('content-type')?.startsWith('application/json')) return response;
    // The header has the length of the JSON.
    response.headers.delete('Content-Length');
    return form(response, raw);
  };
}

/** Errors for a bad nonce or under an overridden method must not be cached. */
function isVolatile({ body }: RestResponse, raw: Request): boolean {
  const isBadNonce =
    typeof body === 'object' && body !== null && 'code' in body && body.code === 'rest_cookie_invalid_nonce';
  return isBadNonce || raw.headers.has('x-http-method-override');
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

const FORM = 'rest';

const MAX_FAILURES = 20;

/**
 * Identifies callers by an application password, or by a browser session with its nonce.
 *
 * Wrong credentials are rejected on every route. After too many failures from one address for one account, further
 * wrong ones are delayed; correct ones always work.
 *
 * Other schemes, malformed headers and cookies without a nonce are ignored: another site can make a browser send the
 * cookie, but not the nonce.
 */
function createAuthenticator(
  context: OriginContext,
): (http: HttpSource, nonceParameter: string | null) => Promise<Caller> {
  const countAttempt = failureThrottle(MAX_FAILURES);
  return async ({ request: { headers }, incoming }, nonceParameter) => {
    const nonce = headers.get('x-wp-nonce') ?? nonceParameter;
    const basic = readBasic(headers.get('authorization'));
    if (!basic && nonce === null) return ANONYMOUS;
    if (!basic) {
      const session = await findSession(context, headers.get('cookie') ?? undefined);
      if (session && isFormTokenValid(context, FORM, session.id, nonce))
        return { ...createCaller(session.user, context), session: session.id };
      throw createCommonError('rest_cookie_invalid_nonce', 'The nonce does not belong to a session.');
    }
    const clientAddress = () => getClientAddress(incoming, headers, context.trustedProxies);
    const found = await findApplicationPassword(context, basic.login, basic.password, clientAddress);
    if (found) return { ...createCaller(found.user, context), applicationPassword: found.uuid };
    const account = throttleAccount(await findUserByLogin(context, basic.login), basic.login);
    const { waitSeconds } = countAttempt(getClientNetwork(clientAddress()), account);
    if (waitSeconds === undefined)
      // The same error for unknown users and wrong passwords, so that logins can't be probed.
      throw createCommonError('incorrect_password', 'No user has this login with this application password.');
    throw createCommonError('rest_too_many_attempts', 'Too many wrong passwords. Wait before the next one.', {
      retryAfterSeconds: waitSeconds,
    });
  };
}

function readBasic(header: string | null): { login: string; password: string } | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const at = decoded.indexOf(':');
  return at > 0 && !decoded.includes('\0')
    ? { login: decoded.slice(0, at), password: decoded.slice(at + 1) }
    : undefined;
}

/** Returns the nonce (`X-WP-Nonce`) that pages of a browser session send to act as its user. */
export function restNonce(context: OriginContext, sessionId: string): string {
  return signForm(context, FORM, sessionId);
}
