import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { AUTHORIZATION_PATH } from './authorization-path.ts';
import { closeSession } from './close-session.ts';
import { createProductToken } from './create-product-token.ts';
import { findSession, type BrowserSession } from './find-session.ts';
import { isFormSigned } from './is-form-signed.ts';
import { listApplicationPasswords } from './list-application-passwords.ts';
import { listProductTokens } from './list-product-tokens.ts';
import { mayReadProducts } from './may-read-products.ts';
import { pageResponse } from './page-response.ts';
import { readNext } from './read-next.ts';
import { renderAccount } from './render-account.ts';
import { renderPage } from './render-page.ts';
import { revokeApplicationPassword } from './revoke-application-password.ts';
import { serveAuthorization } from './serve-authorization.ts';
import { serveSignIn } from './serve-sign-in.ts';
import { sessionCookie } from './session-cookie.ts';
import { signForm } from './sign-form.ts';

const MAX_FORM_BYTES = 16 * 1024;

/**
 * The pages of an account, to be mounted at `/admin`: the account itself, `sign-in/`, `sign-out/`, `product-token/`,
 * which makes a signed-in reader their first token of the product interface, `authorize-application.php`, where
 * applications get passwords of their own, and `application-password/`, which revokes one.
 */
export function accountPages(context: OriginContext): Hono {
  const signIn = serveSignIn(context);
  const authorization = serveAuthorization(context);
  const authorizationPath = AUTHORIZATION_PATH.slice('/admin'.length);
  return new Hono()
    .use(bodyLimit({ maxSize: MAX_FORM_BYTES, onError: () => refuse(context, 413, 'Das Formular ist zu groß.') }))
    .post('*', async (c, next) => {
      const isReadable = await c.req.parseBody().then(
        () => true,
        () => false,
      );
      return isReadable ? next() : refuse(context, 400, 'Das Formular ist unlesbar.');
    })
    .get('*', async (c, next) => {
      // Hono drops the slash of a mounted root, so that `/` would answer at `/admin` alone.
      if (c.req.path === '/admin') return c.redirect('/admin/', 301);
      if (c.req.path !== '/admin/') return next();
      const session = await findSession(context, c.req.header('cookie'));
      if (!session) return c.redirect('/admin/sign-in/', 302);
      const tokens = await listProductTokens(context, { userId: session.user.id });
      const passwords = await listApplicationPasswords(context, session.user.id);
      const formToken = signForm(context, 'application-password', session.id);
      const body = renderAccount(session.user, tokens, { passwords, formToken });
      const page = await renderPage(context, { title: 'Konto', body, session, path: '/admin/' });
      return pageResponse(page, 200, { 'Cache-Control': 'no-store' });
    })
    .get('/sign-in/', signIn.show)
    .post('/sign-in/', signIn.take)
    .get(authorizationPath, authorization.show)
    .post(authorizationPath, authorization.take)
    .post('/sign-out/', async (c) => {
      const { session, next, isSigned } = await readForm(context, c, 'sign-out');
      if (session && !isSigned) return refuse(context, 403, 'Das Formular war nicht mehr gültig.');
      if (session) await closeSession(context, session.id);
      c.header('Set-Cookie', sessionCookie(context));
      return c.redirect(next ?? '/admin/sign-in/', 303);
    })
    .post('/product-token/', async (c) => {
      const { session, next, isSigned } = await readForm(context, c, 'product-token');
      if (!session || !isSigned) return refuse(context, 403, 'Das Formular war nicht mehr gültig.');
      if (!mayReadProducts(session.user)) return refuse(context, 403, 'Dieses Konto darf keine Produktdaten lesen.');
      const tokens = await listProductTokens(context, { userId: session.user.id });
      if (tokens.every((token) => token.revokedAt)) await createProductToken(context, { userId: session.user.id });
      return c.redirect(next ?? '/admin/', 303);
    })
    .post('/application-password/', async (c) => {
      const { session, isSigned, fields } = await readForm(context, c, 'application-password');
      if (!session || !isSigned) return refuse(context, 403, 'Das Formular war nicht mehr gültig.');
      await revokeApplicationPassword(context, session.user.id, String(fields['uuid']));
      return c.redirect('/admin/', 303);
    })
    .get('/sign-in', (c) => c.redirect(`/admin/sign-in/${new URL(c.req.url).search}`, 301))
    .on(['GET', 'HEAD'], ['/sign-out/', '/product-token/', '/application-password/'], () =>
      refuse(context, 405, 'Diese Adresse nimmt nur Formulare an.', { Allow: 'POST' }),
    )
    .all('*', () => refuse(context, 404, 'Diese Seite gibt es nicht.'));
}

interface ReceivedForm {
  session: BrowserSession | undefined;
  next: string | undefined;
  isSigned: boolean;
  fields: Readonly<Record<string, unknown>>;
}

async function readForm(context: OriginContext, c: Context, name: string): Promise<ReceivedForm> {
  const session = await findSession(context, c.req.header('cookie'));
  const form = await c.req.parseBody();
  return {
    session,
    next: readNext(form['next']),
    isSigned: isFormSigned(context, name, session?.id ?? '', form['form_token']),
    fields: form,
  };
}

async function refuse(
  context: OriginContext,
  status: number,
  sentence: string,
  headers: HeadersInit = {},
): Promise<Response> {
  const body = html`<h1>Konto</h1>
    <div class="alert" role="alert">
      <h2>Das ging nicht</h2>
      <p>${sentence}</p>
    </div>
    <p><a href="/admin/">Zum Konto</a></p>`;
  return pageResponse(await renderPage(context, { title: 'Fehler', body }), status, headers);
}
