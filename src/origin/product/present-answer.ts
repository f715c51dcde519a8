import { pageResponse, renderPage } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { ProductCaller } from './authenticate-caller.ts';
import { encodeJson } from './encode-json.ts';
import { findLanguages } from './find-languages.ts';
import type { Representation } from './negotiate.ts';
import type { ProductView } from './product-view.ts';
import type { ProductVisit } from './authenticate-caller.ts';
import { renderBrowsable } from './render-browsable.ts';
import { JSON_RENDERER } from './renderers.ts';
import { validateAnswer } from './validate-answer.ts';

export interface Answer {
  status: number;
  /** The value to render, or a finished response that only lacks what every answer carries. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

type HeaderMap = Readonly<Record<string, string>>;

/** Methods of every view, as `Allow` names them. */
const ALLOW = 'GET, HEAD, OPTIONS';

/** Puts an answer of a view into the form that was negotiated, with the headers that every view sends. */
export async function presentAnswer(
  context: OriginContext,
  view: ProductView,
  visit: ProductVisit,
  { renderer, indent }: Representation,
  { status, body, headers: own }: Answer,
): Promise<Response> {
  const headers = { ...commonHeaders(context, visit.caller), ...own };
  if (body instanceof Response) return completeResponse(body, headers);
  const isPage = renderer.mediaType === 'text/html';
  const text = isPage ? await renderAnswer(context, view, visit, { status, body, headers }) : encodeJson(body, indent);
  if (!context.product.validators || status !== 200 || visit.method !== 'GET') {
    return isPage ? pageResponse(text, status, headers) : jsonResponse(text, status, headers);
  }
  const { etag, isKnown } = validateAnswer(text, visit.header('if-none-match'));
  if (isKnown) return notModified(etag, headers.Vary);
  const validated = { ...headers, ETag: etag };
  return isPage ? pageResponse(text, status, validated) : jsonResponse(text, status, validated);
}

async function renderAnswer(
  context: OriginContext,
  view: ProductView,
  visit: ProductVisit,
  { status, body, headers }: Required<Answer>,
): Promise<string> {
  const hasLanguage = 'language' in (view.route.query?.shape ?? {});
  const languages = hasLanguage && visit.caller ? await findLanguages(context) : [];
  const shown = { 'Content-Type': JSON_RENDERER.mediaType, ...headers };
  const page = renderBrowsable({ view, visit, status, body, languages, headers: shown });
  return renderPage(context, { title: view.name, body: page, session: visit.caller?.session, path: visit.target });
}

/** What every answer of a view carries. What a browser gets by its cookie is for that browser only. */
function commonHeaders(context: OriginContext, caller: ProductCaller | undefined) {
  const isByCookie = caller?.session !== undefined;
  const isCookieAsked = isByCookie || context.product.authentication === 'session-first';
  return {
    Allow: ALLOW,
    Vary: isCookieAsked ? 'Accept, Cookie' : 'Accept',
    ...(isByCookie && { 'Cache-Control': 'private' }),
  };
}

function jsonResponse(text: string, status: number, headers: HeaderMap): Response {
  return new Response(text, {
    status,
    headers: {
      'Content-Type': JSON_RENDERER.mediaType,
      'Content-Length': String(Buffer.byteLength(text)),
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}

function notModified(etag: string, vary: string): Response {
  return new Response(null, { status: 304, headers: { ETag: etag, Vary: vary, 'Content-Length': '0' } });
}

function completeResponse(response: Response, headers: HeaderMap): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
