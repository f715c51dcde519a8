import { MAX_PER_PAGE } from '#contracts/core/index.ts';
import { announcedBytes, MAX_ANONYMOUS_BYTES, MAX_BODY_BYTES, MAX_UNPERMITTED_BYTES } from './bounded-body.ts';
import type { DispatchScope } from './build-call.ts';
import { allowedOn, dispatch, findRoute, findRefusal, noRoute, refusal, type Outcome } from './dispatch.ts';
import { selectFields } from './field-selection.ts';
import { readBody } from './read-body.ts';
import { closeFiles } from './read-form.ts';
import { RestError } from './rest-error.ts';
import { parseQuery, fieldsOf, type RestRequest } from './rest-request.ts';
import type { ServedPath } from './route-registry.ts';

/** Describes a path for `OPTIONS`. */
export type DescribePath = (served: ServedPath) => unknown;

/** A request from start to end: answered or described, linked rows embedded, fields selected. */
export async function serveRequest(bare: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const request = await addBody(bare, scope);
  try {
    return await answer(request, scope, describe);
  } finally {
    await closeFiles(request.files ?? new Map());
  }
}

async function answer(request: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const outcome =
    request.method === 'OPTIONS' ? await describeTo(request, scope, describe) : await dispatch(request, scope);
  const embed = readEmbed(request.query['_embed']);
  const body = embed ? await embedLinks(outcome.body, embed, embeddedReader(scope)) : outcome.body;
  const isError = outcome.status >= 400;
  return { ...outcome, body: isError ? body : shownPart(body, request, outcome.keepsLinks) };
}

function shownPart(body: unknown, request: RestRequest, keepsLinks = false): unknown {
  const shown = selectFields(body, fieldsOf(request));
  const hasLinks = typeof body === 'object' && body !== null && '_links' in body;
  return keepsLinks && hasLinks && !Array.isArray(shown) ? { ...(shown as object), _links: body._links } : shown;
}

/**
 * Only the route tells whether a body holds parameters or is a file. Who may send no file is told so before it is
 * read, and so is who may not call a route and sends more than parameters.
 */
async function addBody(request: RestRequest, scope: DispatchScope): Promise<RestRequest> {
  const { http } = request;
  const found = findRoute(request, scope.registry);
  // Nothing answers, whatever is in it.
  if (!http || !found) return request;
  const { maxUploadBytes } = found.route.declaration;
  const { user } = scope.caller;
  const small = user ? MAX_UNPERMITTED_BYTES : MAX_ANONYMOUS_BYTES;
  const bytes = announcedBytes(http.request);
  const isSmall = maxUploadBytes === undefined && bytes <= small;
  const refused = isSmall ? undefined : await findRefusal(found, request, scope);
  if (maxUploadBytes !== undefined)
    return refused ? request : { ...request, ...(await readBody(http, maxUploadBytes)) };
  if (refused && Number.isFinite(bytes)) throw refused;
  try {
    return { ...request, ...(await readBody(http, 0, isSmall || refused || !user ? small : MAX_BODY_BYTES)) };
  } catch (error) {
    throw error instanceof RestError && refused ? refused : error;
  }
}

async function describeTo(request: RestRequest, scope: DispatchScope, describe: DescribePath): Promise<Outcome> {
  const [found] = scope.registry.find(request.path);
  if (!found) return refusal(noRoute());
  const allow = await allowedOn(found.served, found.captured, request, scope);
  return { status: 200, body: describe(found.served), ...(allow.length > 0 ? { allow } : {}) };
}

/**
 * Reads linked rows in the embed context, each address once however many rows link to it. What no route answers
 * holds nothing.
 */
function embeddedReader(scope: DispatchScope): (href: string) => Promise<unknown> {
  const root = scope.addresses.rest('');
  return (href) =>
    scope.requestMemo.once(`embedded ${href}`, async () => {
      const [path = '', query = ''] = href.slice(root.length).split('?');
      const request = { method: 'GET', path, query: { ...parseQuery(query), context: 'embed' } };
      const found = scope.registry.find(path);
      if (found.length === 0) return [];
      const isList = found.some(({ served }) => isPaged(served));
      const paged = isList ? { ...request, query: { per_page: String(MAX_PER_PAGE), ...request.query } } : request;
      return (await dispatch(paged, scope, { findAllowed: false })).body;
    });
}

function isPaged({ routes }: ServedPath): boolean {
  return routes.some(
    ({ declaration }) => declaration.method === 'GET' && 'per_page' in (declaration.query?.shape ?? {}),
  );
}

type Body = Record<string, unknown>;

interface LinkTarget {
  href: string;
  embeddable?: unknown;
}

/** Which relations to embed: all that can be, or those that are named. */
type EmbedSelection = 'all' | ReadonlySet<string>;

/** Reads `_embed`: empty, `1` and `true` mean all; a list names relations as they are printed. */
function readEmbed(sent: unknown): EmbedSelection | undefined {
  if (sent === undefined) return undefined;
  const parts = [sent].flat().filter((part) => typeof part === 'string');
  const names = parts.flatMap((part) => part.split(/[\s,]+/)).filter((name) => name !== '');
  return names.length === 0 || names.some((name) => name === '1' || name.toLowerCase() === 'true')
    ? 'all'
    : new Set(names);
}

/**
 * Adds to a row, or to each row of a list, what its embeddable links lead to: `_embedded[relation]` runs parallel
 * to the links of the relation. Relations that lead to nothing are left out.
 *
 * @param fetch reads an address of the interface in the embed context; errors are bodies too
 */
async function embedLinks(
  body: unknown,
  wanted: EmbedSelection,
  fetch: (href: string) => Promise<unknown>,
): Promise<unknown> {
  if (Array.isArray(body)) return Promise.all(body.map((row) => embedLinks(row, wanted, fetch)));
  if (!isRow(body)) return body;
  const relations = Object.entries(body._links).filter(
    ([relation, targets]) => (wanted === 'all' || wanted.has(relation)) && targets.some(isEmbeddable),
  );
  // All at once: what is of one kind is loaded together.
  const all = await Promise.all(
    relations.map(async ([relation, targets]) => {
      const found = await Promise.all(targets.map((target) => (isEmbeddable(target) ? fetch(target.href) : [])));
      return [relation, found] as const;
    }),
  );
  const embedded: Body = Object.fromEntries(all.filter(([, found]) => found.some(isSomething)));
  return Object.keys(embedded).length > 0 ? { ...body, _embedded: embedded } : body;
}

function isEmbeddable(target: LinkTarget): boolean {
  return target.embeddable === true;
}

function isSomething(found: unknown): boolean {
  return !(Array.isArray(found) && found.length === 0);
}

function isRow(body: unknown): body is Body & { _links: Record<string, LinkTarget[]> } {
  return typeof body === 'object' && body !== null && '_links' in body;
}
