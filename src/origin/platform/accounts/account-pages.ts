import { readFile } from 'node:fs/promises';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { getMimeType } from 'hono/utils/mime';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  errorPage,
  pageResponse,
  renderPage,
  type Html,
  isFormTokenValid,
  signForm,
  readForm,
  TOKEN_FIELD,
  type FormVariables,
  renderTable,
} from './account-page.ts';
import { listApplicationPasswords, revokeApplicationPassword } from './application-passwords.ts';
import { readFont } from './page-style.ts';
import { AUTHORIZATION_PATH, serveAuthorization } from './authorization.ts';
import { createProductToken, listProductTokens, canReadProducts } from './product-tokens.ts';
import { closeSession, findSession, sessionCookie } from './sessions.ts';
import { parseNextPath, serveSignIn } from './sign-in.ts';
import type { UserRow } from './users.ts';

type ProductTokens = Awaited<ReturnType<typeof listProductTokens>>;
type ApplicationPasswords = Awaited<ReturnType<typeof listApplicationPasswords>>;

const dateFormat = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Creates the account pages, to be mounted at `/admin`: account, fonts, sign-in, sign-out, first product token, and
 * authorization and revocation of applications.
 */
export function accountPages(context: OriginContext): Hono<FormVariables> {
  const signIn = serveSignIn(context);
  const authorization = serveAuthorization(context);
  const authorizationPath = AUTHORIZATION_PATH.slice('/admin'.length);
  return new Hono<FormVariables>()
    .post('*', async (c, next) => {
      const form = await readForm(c, { maxBytes: MAX_FORM_BYTES });
      if (form === 'tooLarge') return errorPage(context, 413, 'Das Formular ist zu groß.');
      if (typeof form === 'string') return errorPage(context, 400, 'Das Formular ist unlesbar.');
      c.set('form', form);
      return next();
    })
    .get('*', async (c, next) => {
      // Hono drops the slash of a mounted root: a route for `/` would match `/admin` only.
      if (c.req.path === '/admin') return c.redirect('/admin/', 301);
      if (c.req.path === '/admin/account') return c.redirect('/admin/account/', 301);
      if (c.req.path !== '/admin/' && c.req.path !== '/admin/account/') return next();
      const session = await findSession(context, c.req.header('cookie'));
      if (!session) return c.redirect('/admin/sign-in/', 302);
      if (c.req.path === '/admin/') return c.redirect('/admin/account/', 302);
      const tokens = await listProductTokens(context, { userId: session.user.id });
      const passwords = await listApplicationPasswords(context, session.user.id);
      const formToken = signForm(context, 'application-password', session.id);
      const body = renderAccount(session.user, tokens, { passwords, formToken });
      const page = await renderPage(context, { title: 'Konto', body, session, path: '/admin/account/' });
      return pageResponse(page, 200, { 'Cache-Control': 'no-store' });
    })
    .get('/sign-in/', signIn.show)
    .post('/sign-in/', signIn.submit)
    .get(authorizationPath, authorization.show)
    .post(authorizationPath, authorization.submit)
    .post('/sign-out/', async (c) => {
      const { session, next, isSigned } = await checkForm(context, c, 'sign-out');
      if (session && !isSigned) return errorPage(context, 403, 'Das Formular war nicht mehr gültig.');
      if (session) await closeSession(context, session.id);
      c.header('Set-Cookie', sessionCookie(context));
      return c.redirect(next ?? '/admin/sign-in/', 303);
    })
    .post('/product-token/', async (c) => {
      const { session, next, isSigned } = await checkForm(context, c, 'product-token');
      if (!session || !isSigned) return errorPage(context, 403, 'Das Formular war nicht mehr gültig.');
      if (!canReadProducts(session.user)) return errorPage(context, 403, 'Dieses Konto darf keine Produktdaten lesen.');
      const tokens = await listProductTokens(context, { userId: session.user.id });
      if (tokens.every((token) => token.revokedAt)) await createProductToken(context, { userId: session.user.id });
      return c.redirect(next ?? '/admin/account/', 303);
    })
    .post('/application-password/', async (c) => {
      const { session, isSigned, fields } = await checkForm(context, c, 'application-password');
      if (!session || !isSigned) return errorPage(context, 403, 'Das Formular war nicht mehr gültig.');
      await revokeApplicationPassword(context, session.user.id, String(fields['uuid']));
      return c.redirect('/admin/account/', 303);
    })
    .get('/fonts/:name', (c) => {
      const font = readFont(c.req.param('name'));
      if (!font) return c.notFound();
      return c.body(font, 200, { 'Content-Type': 'font/woff2', 'Cache-Control': 'public, max-age=604800' });
    })
    .get('/logo/:scheme', async (c) => {
      const file = context.brand?.logo?.[c.req.param('scheme') === 'dark' ? 'dark' : 'light'];
      if (file === undefined) return c.notFound();
      return c.body(await readFile(file), 200, {
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
        'Content-Type': getMimeType(file) ?? 'image/jpeg',
      });
    })
    .get('/sign-in', (c) => c.redirect(`/admin/sign-in/${new URL(c.req.url).search}`, 301))
    .on(['GET', 'HEAD'], ['/sign-out/', '/product-token/', '/application-password/'], () =>
      errorPage(context, 405, 'Diese Adresse nimmt nur Formulare an.', { Allow: 'POST' }),
    )
    .all('*', () => errorPage(context, 404, 'Diese Seite gibt es nicht.'));
}

async function checkForm(context: OriginContext, c: Context<FormVariables>, name: string) {
  const session = await findSession(context, c.req.header('cookie'));
  const form = c.get('form');
  return {
    session,
    next: parseNextPath(form['next']),
    isSigned: isFormTokenValid(context, name, session?.id ?? '', form[TOKEN_FIELD]),
    fields: form,
  };
}

/** Renders the account page: user, tokens and application passwords. Secrets are not shown. */
function renderAccount(
  user: UserRow,
  tokens: ProductTokens,
  { passwords, formToken }: { passwords: ApplicationPasswords; formToken: string },
): Html {
  return html`<h1>Konto</h1>
    <dl>
      <dt>Name</dt>
      <dd>${user.name}</dd>
      <dt>Benutzername</dt>
      <dd>${user.login}</dd>
      <dt>E-Mail-Adresse</dt>
      <dd>${user.email}</dd>
    </dl>
    ${user.role === 'subscriber' ? '' : html`<p><a href="/admin/">Zur Redaktion</a></p>`}
    <h2>Tokens der Produktschnittstelle</h2>
    ${tokens.length === 0 ? html`<p>Zu diesem Konto gehört noch kein Token.</p>` : renderTokens(tokens)}
    <p>
      Die gültigen Tokens im Klartext stehen auf der Seite
      <a href="/${PRODUCT_ROOT}docs/">Dokumentation der Produktschnittstelle</a>.
    </p>
    <h2>Passwörter von Anwendungen</h2>
    ${passwords.length === 0 ? html`<p>Keine Anwendung darf in Ihrem Namen zugreifen.</p>` : renderPasswords(passwords, formToken)}`;
}

function renderPasswords(passwords: ApplicationPasswords, formToken: string): Html {
  return renderTable(
    'Passwörter von Anwendungen',
    ['Anwendung', 'Erzeugt am', 'Zuletzt benutzt', 'Widerruf'],
    passwords.map(({ uuid, name, createdAt, lastUsedAt }) => [
      name,
      dateFormat.format(createdAt),
      lastUsedAt ? dateFormat.format(lastUsedAt) : 'nie',
      html`<form method="post" action="/admin/application-password/">
        <input type="hidden" name="form_token" value="${formToken}" />
        <input type="hidden" name="uuid" value="${uuid}" />
        <button class="button button--quiet" aria-label="${name} widerrufen">Widerrufen</button>
      </form>`,
    ]),
  );
}

function renderTokens(tokens: ProductTokens): Html {
  return renderTable(
    'Tokens',
    ['Bezeichnung', 'Erzeugt am', 'Stand'],
    tokens.map(({ id, label, createdAt, revokedAt }) => [
      label || `Token ${id}`,
      dateFormat.format(createdAt),
      revokedAt ? `widerrufen am ${dateFormat.format(revokedAt)}` : 'gültig',
    ]),
  );
}
