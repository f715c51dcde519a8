import type { Context } from 'hono';
import { html } from 'hono/html';
import { hasStockNames, type NamespaceMap } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import {
  errorPage,
  pageResponse,
  renderProblem,
  renderPage,
  type Html,
  isFormTokenValid,
  signForm,
  TOKEN_FIELD,
  type FormVariables,
} from './account-page.ts';
import { createApplicationPassword, UUID } from './application-passwords.ts';
import { findSession, type BrowserSession } from './sessions.ts';

/** Path of the page where applications request an application password. */
export const AUTHORIZATION_PATH = '/admin/authorize-application.php';

/** Path of the same page on stock publishing servers. An origin with their names redirects from it. */
export const STOCK_AUTHORIZATION_PATH = '/wp-admin/authorize-application.php';

/**
 * Matches a scheme of the application's own: a reversed domain name (`com.example.app`) or hyphenated words
 * (`my-app`).
 *
 * Schemes of browsers, operating systems and registered protocols are rejected, because they run or show something
 * instead of returning to the application.
 */
const REVERSE_DOMAIN = /^[a-z][a-z\d]*(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/;

const HYPHENATED_WORDS = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

const RESERVED_WORDS = new Set(
  [
    'about android apple applescript blob brave callto chrome chromium cid cmd data dav dict dns edge facetime feed',
    'file filesystem firefox ftp ftps geo git gopher hcp help http imap intent intents irc its itms itmss jar',
    'javascript jdbc ldap ldaps livescript magnet mailto market mhtml mid mk mms mocha moz mozilla ms msdt news nfs nntp',
    'onenote opera pcast pop powershell prefs res resource rlogin rtmp rtsp safari search settings sftp shell sip sips',
    'skype smb sms smsto source ssh steam svn tel telnet terminal tn3270 urn vbs vbscript view vivaldi vnc vscode',
    'webcal webkit ws wss wyciwyg x xmpp zoommtg extension shortcuts workflow devtools',
  ].flatMap((line) => line.split(' ')),
);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const FORM = 'authorize-application';
const HEADING = 'Anwendung zulassen';
const MAX_NAME = 200;
const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/**
 * Serves `authorize-application.php`: an application sends its user here to approve or reject it. Approval creates an
 * application password, which is passed to the application or shown once.
 */
export function serveAuthorization(context: OriginContext) {
  async function respond(session: BrowserSession, title: string, body: Html, status = 200, targets: URL[] = []) {
    const page = await renderPage(context, { title, body, session, path: '/admin/' });
    return pageResponse(page, status, NO_STORE, targets.map(formSource));
  }

  const showForm = (request: AuthorizationRequest, session: BrowserSession, status = 200, problem?: string) => {
    const targets = [request.success, request.reject].filter((url) => url !== undefined);
    const formToken = signForm(context, FORM, session.id);
    const body = renderAuthorization(request, formToken, problem);
    const title = problem === undefined ? HEADING : `Fehler: ${HEADING}`;
    return respond(session, title, body, status, targets);
  };
  const refuse = (status: number, message: string) =>
    errorPage(context, status, message, { heading: HEADING, ...NO_STORE });

  return {
    async show(c: Context) {
      const request = readRequest((name) => c.req.query(name));
      if (typeof request === 'string') return refuse(400, request);
      const session = await findSession(context, c.req.header('cookie'));
      if (session) return showForm(request, session);
      const next = AUTHORIZATION_PATH + new URL(c.req.url).search;
      return c.redirect(`/admin/sign-in/?next=${encodeURIComponent(next)}`, 302);
    },

    async submit(c: Context<FormVariables>) {
      const form = c.get('form');
      const session = await findSession(context, c.req.header('cookie'));
      if (!session || !isFormTokenValid(context, FORM, session.id, form[TOKEN_FIELD]))
        return refuse(403, 'Das Formular war nicht mehr gültig. Bitte beginnen Sie in der Anwendung noch einmal.');
      const request = readRequest((name) => form[name]);
      if (typeof request === 'string') return refuse(400, request);
      if ('reject' in form && !('approve' in form)) return redirect(rejectionAddress(request));
      if (!('approve' in form))
        return showForm(request, session, 422, 'Bitte wählen Sie, ob Sie die Anwendung zulassen.');
      if (request.appName === '') return showForm(request, session, 422, 'Bitte geben Sie der Anwendung einen Namen.');
      const { appName: name, appId } = request;
      const { password } = await createApplicationPassword(context, { userId: session.user.id, name, appId });
      if (request.success)
        return redirect(grantAddress(request.success, context.publicUrl, session.user.login, password));
      return respond(session, 'Anwendung zugelassen', renderGranted(name, password));
    },
  };
}

type AuthorizationRequest = Exclude<ReturnType<typeof readRequest>, string>;

/**
 * Parses the request: name and UUID of the application, which may be empty, and redirect targets after approval and
 * rejection. Returns a German error message if it is invalid.
 */
function readRequest(getField: (name: string) => unknown) {
  const text = (name: string) => {
    const value = getField(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const appId = text('app_id');
  if (appId !== '' && !UUID.test(appId)) return 'Die Kennung der Anwendung ist keine UUID.';
  const [success, reject] = [text('success_url'), text('reject_url')];
  const targets = { success: parseAppUrl(success), reject: parseAppUrl(reject) };
  if ((success !== '' && !targets.success) || (reject !== '' && !targets.reject))
    return 'Die Anwendung nennt eine Adresse, zu der sie nicht zurückführen darf.';
  return { appName: text('app_name').slice(0, MAX_NAME), appId, ...targets };
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

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location, ...NO_STORE } });
}

/** Source expression of an address for the `form-action` directive. */
function formSource({ protocol, host }: URL): string {
  return /^https?:$/.test(protocol) ? `${protocol}//${host}` : protocol;
}

/** Renders the form that asks the user to approve an application, with the error message of the previous attempt. */
function renderAuthorization(request: AuthorizationRequest, formToken: string, problem: string | undefined): Html {
  const { appName, appId, success, reject } = request;
  const invalid = problem === undefined ? '' : html`aria-invalid="true" aria-describedby="problem"`;
  return html`<div class="narrow">
    <h1>${HEADING}</h1>
    ${problem === undefined ? '' : renderProblem('Das ging nicht', problem)}
    <p>
      ${appName === '' ? 'Eine Anwendung' : html`<strong>${appName}</strong>`} möchte in Ihrem Namen auf diese Seite
      zugreifen. Sie bekommt dafür ein eigenes Passwort, das Sie jederzeit widerrufen können. Ihr eigenes Passwort
      erfährt sie nicht.
    </p>
    <p>${describeTarget(success)}</p>
    <form class="wide" method="post" action="${AUTHORIZATION_PATH}">
      <input type="hidden" name="form_token" value="${formToken}" />
      <input type="hidden" name="app_id" value="${appId}" />
      <input type="hidden" name="success_url" value="${success?.href ?? ''}" />
      <input type="hidden" name="reject_url" value="${reject?.href ?? ''}" />
      <div class="field">
        <label for="app_name">Name der Anwendung</label>
        <input id="app_name" name="app_name" value="${appName}" maxlength="200" autocomplete="off" ${invalid} />
      </div>
      <button class="button" name="approve" value="1">Zulassen</button>
      <button name="reject" value="1" class="button button--quiet">Ablehnen</button>
    </form>
  </div>`;
}

function describeTarget(success: URL | undefined): Html | string {
  if (!success) return 'Danach zeigt Ihnen diese Seite das Passwort, damit Sie es in die Anwendung eintragen.';
  const target = /^https?:$/.test(success.protocol) ? success.host : `${success.protocol}//${success.host}`;
  return html`Danach geht es mit dem Passwort zurück zu <strong>${target}</strong>. Lassen Sie nur zu, was Sie kennen.`;
}

/** Renders the page that shows a new application password once. */
function renderGranted(appName: string, password: string): Html {
  return html`<div class="narrow">
    <h1>Anwendung zugelassen</h1>
    <p>Das Passwort für <strong>${appName}</strong>:</p>
    <pre><code class="token">${password}</code></pre>
    <p>Tragen Sie es jetzt in die Anwendung ein: Es wird nicht noch einmal gezeigt.</p>
    <p><a href="/admin/account/">Zum Konto</a></p>
  </div>`;
}

/**
 * Parses the redirect target of an application: https, http on loopback, or an application scheme with a host.
 * Returns undefined for everything else.
 */
export function parseAppUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || !/^[a-z][a-z\d+.-]*:\/\//i.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const { protocol, hostname, host, username, password } = url;
  // The host becomes part of a policy: it must not contain characters that end a directive.
  if (!/^[\w.:[\]-]+$/.test(host) || username !== '' || password !== '') return undefined;
  if (protocol === 'http:') return LOOPBACK.test(hostname) ? url : undefined;
  return protocol === 'https:' || isAppScheme(protocol.slice(0, -1)) ? url : undefined;
}

/** @param scheme in lower case, without the colon */
function isAppScheme(scheme: string): boolean {
  if (REVERSE_DOMAIN.test(scheme)) return true;
  return HYPHENATED_WORDS.test(scheme) && !scheme.split('-').some((word) => RESERVED_WORDS.has(word));
}

/** Returns the path that the index advertises. */
export function authorizationPath(namespaces: NamespaceMap): string {
  return hasStockNames(namespaces) ? STOCK_AUTHORIZATION_PATH : AUTHORIZATION_PATH;
}
