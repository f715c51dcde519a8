import { EDITORS_PATH } from '#origin/platform/site/editor-links.ts';
import { readFileSync } from 'node:fs';
import { Hono, type Context, type Handler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readForm, TOKEN_FIELD, type FormFields } from '#origin/platform/accounts/account-page.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { postCheck, getEditPage, postEditPage } from './edit-page.ts';
import { isValidFormToken, readEditorRequest, errorPageResponse, type EditorRequest } from './editor-request.ts';
import { loadEditedObject, type EditedObject } from './edited-object.ts';
import { getBulkPage, getOverview, postAnalysis, postBulkPage } from './list-pages.ts';
import { listEditableKinds } from './object-list.ts';
import { getStartPage } from './start-page.ts';
import { getProgress, getImagePage, getImagesPage, postImagePage, postImagesPage } from './image-pages.ts';

/** Content type, taxonomy or `user`, with an ID. */
const OBJECT = '/:type{[a-z][a-z0-9_-]*}/:id{[0-9]+}';
const IMAGE = '/thumbnails/:id{[0-9]+}';

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
export function editorPages(context: OriginContext): Hono<EditorEnv> {
  const app = new Hono<EditorEnv>();
  for (const [name, [file, type]] of Object.entries(ASSETS)) {
    const body = readFileSync(new URL(file, import.meta.url), 'utf8');
    const headers = { 'Content-Type': type, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    app.get(`/${name}`, () => new Response(body, { headers }));
  }
  return app
    .use(async (c, next) => {
      const request = await readEditorRequest(context, c);
      if (!request) return c.redirect(`/admin/sign-in/?next=${encodeURIComponent(pathOf(c))}`, 302);
      if (listEditableKinds(request).length === 0) return errorPageResponse(request, 403, request.words.forbidden);
      c.set('request', request);
      return next();
    })
    .get('/', (c) => getOverview(c.var.request))
    .get('/bulk', (c) => getBulkPage(c.var.request))
    .post('/bulk', form(), (c) => postBulkPage(c.var.request, c.var.form))
    .post('/analyse', form(), (c) => postAnalysis(c.var.request))
    .get('/thumbnails', manager, (c) => getImagesPage(c.var.request))
    .post('/thumbnails', form(), manager, (c) => postImagesPage(c.var.request, c.var.form))
    .get('/thumbnails/progress', manager, (c) => getProgress(c.var.request))
    .get(IMAGE, manager, (c) => getImagePage(c.var.request, Number(c.req.param('id'))))
    .post(IMAGE, form(), manager, (c) => postImagePage(c.var.request, Number(c.req.param('id')), c.var.form))
    .get(OBJECT, object, (c) => getEditPage(c.var.request, c.var.object))
    .post(OBJECT, form(MAX_TEXT_BYTES), object, (c) => postEditPage(c.var.request, c.var.object, c.var.form))
    .post(`${OBJECT}/check`, form(MAX_TEXT_BYTES), object, (c) => postCheck(c.var.request, c.var.object, c.var.form))
    .all('*', (c) => errorPageResponse(c.var.request, 404, c.var.request.words.notFound));
}

interface EditorEnv {
  Variables: { request: EditorRequest; form: FormFields; object: EditedObject };
}

/** Reads the submitted form and checks its token. */
const form = (maxBytes = MAX_FORM_BYTES) =>
  createMiddleware<EditorEnv>(async (c, next) => {
    const { request } = c.var;
    const { words } = request;
    const isToken = (token: unknown) => isValidFormToken(request, token);
    const submitted = await readForm(c, { maxBytes, isToken });
    if (submitted === 'tooLarge') return errorPageResponse(request, 413, words.tooLarge);
    if (submitted === 'unreadable') return errorPageResponse(request, 400, words.unreadable);
    if (submitted === 'unsigned' || !isToken(submitted[TOKEN_FIELD]))
      return errorPageResponse(request, 403, words.stale);
    const fields = Object.entries(submitted).map(([name, value]) => [
      name,
      typeof value === 'string' ? removeUnstorable(value) : value,
    ]);
    c.set('form', Object.fromEntries(fields));
    return next();
  });

/** Restricts a page to users that manage the site. */
const manager = createMiddleware<EditorEnv>(async ({ var: { request } }, next) =>
  can(request.caller, 'manage_options') ? next() : errorPageResponse(request, 403, request.words.onlyManagers),
);

const object = createMiddleware<EditorEnv>(async (c, next) => {
  const { request } = c.var;
  const id = Number(c.req.param('id'));
  const found = Number.isSafeInteger(id) ? await loadEditedObject(request, c.req.param('type') ?? '', id) : undefined;
  if (!found) return errorPageResponse(request, 404, request.words.notFound);
  c.set('object', found);
  return next();
});

/** Serves the start page of accounts that can edit content, to be mounted at `/admin/` before the account pages. */
export function startPage(context: OriginContext): Handler {
  return async (c, next) => {
    const request = await readEditorRequest(context, c);
    return request && listEditableKinds(request).length > 0 ? getStartPage(request) : next();
  };
}

function pathOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' ? pathname + search : EDITORS_PATH;
}
