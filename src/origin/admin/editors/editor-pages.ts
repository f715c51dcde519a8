import { EDITORS_PATH } from '#origin/platform/site/editor-links.ts';
import { readFileSync } from 'node:fs';
import { Hono, type Context, type Handler } from 'hono';
import { readForm, TOKEN_FIELD } from '#origin/platform/accounts/account-page.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import { postCheck, getEditPage, postEditPage, type Form } from './edit-page.ts';
import { isValidFormToken, readEditorRequest, errorPageResponse, type EditorRequest } from './editor-request.ts';
import { loadEditedObject, type EditedObject } from './edited-object.ts';
import { getBulkPage, getOverview, postAnalysis, postBulkPage } from './list-pages.ts';
import { listEditableKinds } from './object-list.ts';
import { getStartPage } from './start-page.ts';
import {
  getProgress,
  requireManager,
  getImagePage,
  getImagesPage,
  postImagePage,
  postImagesPage,
} from './image-pages.ts';

/** Content type, taxonomy or `user`, with an ID. */
const OBJECT = ':type{[a-z][a-z0-9_-]*}/:id{[0-9]+}';

/** Limit for a text of two million characters, each encoded in up to nine bytes. */
const MAX_TEXT_BYTES = 20 * 1024 * 1024;

/** Limit for the titles and descriptions of one list page, encoded likewise. */
const MAX_FORM_BYTES = 1024 * 1024;

const ASSETS = {
  'editors.css': ['editors.css', 'text/css; charset=utf-8'],
  'editors.js': ['editors.mjs', 'text/javascript; charset=utf-8'],
} as const;

/**
 * Serves the editors' pages, to be mounted at `/admin/seo`. Accounts that can edit content get an overview with scores,
 * a form per object with previews and advice, and a table of titles and descriptions. Managers also get the image
 * sizes.
 */
export function editorPages(context: OriginContext): Hono {
  const app = new Hono();
  for (const [name, [file, type]] of Object.entries(ASSETS)) {
    const body = readFileSync(new URL(file, import.meta.url), 'utf8');
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    app.get(`/${name}`, () => new Response(body, { headers }));
  }

  type PageHandler<T extends unknown[]> = (request: EditorRequest, ...rest: T) => Response | Promise<Response>;
  const signedIn = (handler: PageHandler<[Context]>) => async (c: Context) => {
    const request = await readEditorRequest(context, c);
    if (!request) return c.redirect(`/admin/sign-in/?next=${encodeURIComponent(pathOf(c))}`, 302);
    if (listEditableKinds(request).length === 0) return errorPageResponse(request, 403, request.words.forbidden);
    return handler(request, c);
  };
  const form = (handler: PageHandler<[Form, Context]>, maxBytes = MAX_FORM_BYTES) =>
    signedIn(async (request, c) => {
      const isValidToken = (token: unknown) => isValidFormToken(request, token);
      const submitted = await readForm(c, { maxBytes, isToken: isValidToken });
      if (submitted === 'tooLarge') return errorPageResponse(request, 413, request.words.tooLarge);
      if (submitted === 'unreadable') return errorPageResponse(request, 400, request.words.unreadable);
      const isStale = submitted === 'unsigned' || !isValidToken(submitted[TOKEN_FIELD]);
      return isStale
        ? errorPageResponse(request, 403, request.words.stale)
        : handler(request, withoutNul(submitted), c);
    });
  return app
    .get('/', signedIn(getOverview))
    .get(
      '/bulk',
      signedIn((request) => getBulkPage(request)),
    )
    .post('/bulk', form(postBulkPage))
    .post('/analyse', form(postAnalysis))
    .get('/thumbnails', signedIn(requireManager((request) => getImagesPage(request))))
    .post('/thumbnails', form(requireManager(postImagesPage)))
    .get('/thumbnails/progress', signedIn(requireManager(getProgress)))
    .get('/thumbnails/:id{[0-9]+}', signedIn(requireManager((request, c) => getImagePage(request, c))))
    .post('/thumbnails/:id{[0-9]+}', form(requireManager(postImagePage)))
    .get(
      `/${OBJECT}`,
      signedIn((request, c) => withObject(request, c, (object) => getEditPage(request, object))),
    )
    .post(
      `/${OBJECT}`,
      form(
        (request, submitted, c) => withObject(request, c, (object) => postEditPage(request, object, submitted)),
        MAX_TEXT_BYTES,
      ),
    )
    .post(
      `/${OBJECT}/check`,
      form(
        (request, submitted, c) => withObject(request, c, (object) => postCheck(request, object, submitted)),
        MAX_TEXT_BYTES,
      ),
    )
    .all(
      '*',
      signedIn((request) => errorPageResponse(request, 404, request.words.notFound)),
    );
}

/** Serves the start page of accounts that can edit content, to be mounted at `/admin/` before the account pages. */
export function startPage(context: OriginContext): Handler {
  return async (c, next) => {
    const request = await readEditorRequest(context, c);
    return request && listEditableKinds(request).length > 0 ? getStartPage(request) : next();
  };
}

function withoutNul(submitted: Form): Form {
  const fields = Object.entries(submitted).map(([name, value]) => [
    name,
    typeof value === 'string' ? removeUnstorable(value) : value,
  ]);
  return Object.fromEntries(fields);
}

async function withObject(
  request: EditorRequest,
  c: Context,
  handler: (object: EditedObject) => Promise<Response>,
): Promise<Response> {
  const id = Number(c.req.param('id'));
  const object = Number.isSafeInteger(id) ? await loadEditedObject(request, c.req.param('type') ?? '', id) : undefined;
  return object ? handler(object) : errorPageResponse(request, 404, request.words.notFound);
}

function pathOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' ? pathname + search : EDITORS_PATH;
}
