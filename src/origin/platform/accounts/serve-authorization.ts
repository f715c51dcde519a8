import type { AuthorizationRequest } from './render-authorization.ts';
import type { Context } from 'hono';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { AUTHORIZATION_PATH } from './authorization-path.ts';
import { createApplicationPassword } from './create-application-password.ts';
import { findSession, type BrowserSession } from './find-session.ts';
import { isFormSigned } from './is-form-signed.ts';
import { pageResponse } from './page-response.ts';
import { readAppAddress } from './read-app-address.ts';
import { renderAuthorization, renderGranted, renderRefused } from './render-authorization.ts';
import { renderPage, type Html } from './render-page.ts';
import { signForm } from './sign-form.ts';

const FORM = 'authorize-application';
const MAX_NAME = 200;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/**
 * `authorize-application.php`: an application sends its user here, who signs in and says yes or no. Yes makes an
 * application password and takes it to the application, or shows it once.
 */
export function serveAuthorization(context: OriginContext): {
  show(c: Context): Promise<Response>;
  take(c: Context): Promise<Response>;
} {
  async function answer(
    title: string,
    body: Html,
    status: number,
    leads: readonly URL[] = [],
    session?: BrowserSession,
  ) {
    const page = await renderPage(context, { title, body, ...(session ? { session, path: '/admin/' } : {}) });
    return pageResponse(page, status, NO_STORE, leads.map(sourceOf));
  }

  const ask = (wanted: AuthorizationRequest, session: BrowserSession, status = 200, problem?: string) => {
    const leads = [wanted.success, wanted.reject].filter((url) => url !== undefined);
    const formToken = signForm(context, FORM, session.id);
    const body = renderAuthorization({ ...wanted, formToken, path: AUTHORIZATION_PATH, ...(problem && { problem }) });
    const title = problem === undefined ? 'Anwendung zulassen' : 'Fehler: Anwendung zulassen';
    return answer(title, body, status, leads, session);
  };
  const refuse = (status: number, sentence: string) => answer('Fehler', renderRefused(sentence), status);

  return {
    async show(c) {
      const wanted = readRequest((name) => c.req.query(name));
      if (typeof wanted === 'string') return refuse(400, wanted);
      const session = await findSession(context, c.req.header('cookie'));
      if (session) return ask(wanted, session);
      const next = AUTHORIZATION_PATH + new URL(c.req.url).search;
      return c.redirect(`/admin/sign-in/?next=${encodeURIComponent(next)}`, 302);
    },

    async take(c) {
      const form = await c.req.parseBody();
      const session = await findSession(context, c.req.header('cookie'));
      if (!session || !isFormSigned(context, FORM, session.id, form['form_token']))
        return refuse(403, 'Das Formular war nicht mehr gültig. Bitte beginnen Sie in der Anwendung noch einmal.');
      const wanted = readRequest((name) => form[name]);
      if (typeof wanted === 'string') return refuse(400, wanted);
      if ('reject' in form && !('approve' in form)) return leave(rejectionAddress(wanted));
      if (!('approve' in form)) return ask(wanted, session, 422, 'Bitte wählen Sie, ob Sie die Anwendung zulassen.');
      if (wanted.appName === '') return ask(wanted, session, 422, 'Bitte geben Sie der Anwendung einen Namen.');
      const { appName: name, appId } = wanted;
      const { password } = await createApplicationPassword(context, { userId: session.user.id, name, appId });
      if (wanted.success) return leave(grantAddress(wanted.success, context.publicUrl, session.user.login, password));
      return answer('Anwendung zugelassen', renderGranted(name, password), 200, [], session);
    },
  };
}

/** What was sent, or a sentence that says what is wrong with it. */
function readRequest(sent: (name: string) => unknown): AuthorizationRequest | string {
  const text = (name: string) => {
    const value = sent(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const appId = text('app_id');
  if (appId !== '' && !UUID.test(appId)) return 'Die Kennung der Anwendung ist keine UUID.';
  const [success, reject] = [text('success_url'), text('reject_url')];
  const leads = { success: readAppAddress(success), reject: readAppAddress(reject) };
  if ((success !== '' && !leads.success) || (reject !== '' && !leads.reject))
    return 'Die Anwendung nennt eine Adresse, zu der sie nicht zurückführen darf.';
  return { appName: text('app_name').slice(0, MAX_NAME), appId, ...leads };
}

function grantAddress(success: URL, siteUrl: string, login: string, password: string): string {
  const url = new URL(success);
  url.searchParams.append('site_url', siteUrl);
  url.searchParams.append('user_login', login);
  url.searchParams.append('password', password);
  return url.href;
}

function rejectionAddress({ success, reject }: AuthorizationRequest): string {
  if (reject || !success) return reject?.href ?? '/admin/';
  const url = new URL(success);
  url.searchParams.append('success', 'false');
  return url.href;
}

function leave(address: string): Response {
  return new Response(null, { status: 302, headers: { Location: address, ...NO_STORE } });
}

/** How a policy names where a form may lead. */
function sourceOf({ protocol, host }: URL): string {
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : protocol;
}
