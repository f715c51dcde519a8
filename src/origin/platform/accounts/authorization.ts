import type { Context } from 'hono';
import { html } from 'hono/html';
import { hasStockNames, type NamespaceMap } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { pageResponse, renderPage, type Html } from './account-page.ts';
import { createApplicationPassword } from './application-passwords.ts';
import { TOKEN_FIELD, type FormVariables } from './read-form.ts';
import { findSession, type BrowserSession } from './sessions.ts';
import { isFormSigned, signForm } from './signed-forms.ts';

/** Where applications ask for a password of their own. */
export const AUTHORIZATION_PATH = '/admin/authorize-application.php';

/** Where stock publishing servers have it; an origin with their names leads on from there. */
export const STOCK_AUTHORIZATION_PATH = '/wp-admin/authorize-application.php';

/**
 * A scheme of an application's own: a domain name backwards (`com.example.app`), or words with hyphens (`my-app`). Nothing
 * else is let through, and of the words none that browsers, operating systems or registered protocols have taken: those
 * open, run or show something by themselves instead of handing over to the application that asked.
 */
const REVERSE_DOMAIN = /^[a-z][a-z\d]*(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/;

const WORDS = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;

const TAKEN = new Set(
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
const MAX_NAME = 200;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/**
 * `authorize-application.php`: an application sends its user here, who signs in and says yes or no. Yes makes an
 * application password and takes it to the application, or shows it once.
 */
export function serveAuthorization(context: OriginContext): {
  show(c: Context): Promise<Response>;
  take(c: Context<FormVariables>): Promise<Response>;
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
      const form = c.get('form');
      const session = await findSession(context, c.req.header('cookie'));
      if (!session || !isFormSigned(context, FORM, session.id, form[TOKEN_FIELD]))
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

interface AuthorizationForm extends AuthorizationRequest {
  formToken: string;
  /** Where the form goes. */
  path: string;
  /** What went wrong with the last try, as a sentence. */
  problem?: string;
}

/** The body of the page that asks whether an application may act for the user. */
function renderAuthorization(form: AuthorizationForm): Html {
  const { appName, appId, success, reject, formToken, path, problem } = form;
  const invalid = problem === undefined ? '' : html`aria-invalid="true" aria-describedby="fehler"`;
  return html`<div class="narrow">
    <h1>Anwendung zulassen</h1>
    ${problem === undefined ? '' : renderProblem(problem)}
    <p>
      ${appName === '' ? 'Eine Anwendung' : html`<strong>${appName}</strong>`} möchte in Ihrem Namen auf diese Seite
      zugreifen. Sie bekommt dafür ein eigenes Passwort, das Sie jederzeit widerrufen können. Ihr eigenes Passwort
      erfährt sie nicht.
    </p>
    <p>${whereItLeads(success)}</p>
    <form class="card wide" method="post" action="${path}">
      <input type="hidden" name="form_token" value="${formToken}" />
      <input type="hidden" name="app_id" value="${appId}" />
      <input type="hidden" name="success_url" value="${success?.href ?? ''}" />
      <input type="hidden" name="reject_url" value="${reject?.href ?? ''}" />
      <div class="field">
        <label for="app_name">Name der Anwendung</label>
        <input id="app_name" name="app_name" value="${appName}" maxlength="200" autocomplete="off" ${invalid} />
      </div>
      <button name="approve" value="1">Zulassen</button>
      <button name="reject" value="1" class="plain">Ablehnen</button>
    </form>
  </div>`;
}

function whereItLeads(success: URL | undefined): Html | string {
  if (!success) return 'Danach zeigt Ihnen diese Seite das Passwort, damit Sie es in die Anwendung eintragen.';
  const where = /^https?:$/.test(success.protocol) ? success.host : `${success.protocol}//${success.host}`;
  return html`Danach geht es mit dem Passwort zurück zu <strong>${where}</strong>. Lassen Sie nur zu, was Sie kennen.`;
}

/** The body of the page that shows a new application password, this once. */
function renderGranted(appName: string, password: string): Html {
  return html`<div class="narrow">
    <h1>Anwendung zugelassen</h1>
    <p>Das Passwort für <strong>${appName}</strong>:</p>
    <pre><code class="token">${password}</code></pre>
    <p>Tragen Sie es jetzt in die Anwendung ein: Es wird nicht noch einmal gezeigt.</p>
    <p><a href="/admin/">Zum Konto</a></p>
  </div>`;
}

/** The body of the page that says why nothing was asked. */
function renderRefused(sentence: string): Html {
  return html`<h1>Anwendung zulassen</h1>
    ${renderProblem(sentence)}
    <p><a href="/admin/">Zum Konto</a></p>`;
}

function renderProblem(problem: string): Html {
  return html`<div class="alert" role="alert" id="fehler">
    <h2>Das ging nicht</h2>
    <p>${problem}</p>
  </div>`;
}

/** What an application asks for. */
interface AuthorizationRequest {
  appName: string;
  /** UUID that the application gave itself, or nothing. */
  appId: string;
  /** Where to go with the password. */
  success?: URL | undefined;
  /** Where to go without one. */
  reject?: URL | undefined;
}

/**
 * Where an application wants its user sent back to: https, http on this very machine, or a scheme of the
 * application's own with a host. Undefined for everything else.
 */
export function readAppAddress(sent: unknown): URL | undefined {
  if (typeof sent !== 'string' || !/^[a-z][a-z\d+.-]*:\/\//i.test(sent) || !URL.canParse(sent)) return undefined;
  const url = new URL(sent);
  const { protocol, hostname, host, username, password } = url;
  // The host goes into a policy: nothing in it may end there and begin something else.
  if (!/^[\w.:[\]-]+$/.test(host) || username !== '' || password !== '') return undefined;
  if (protocol === 'http:') return LOOPBACK.test(hostname) ? url : undefined;
  return protocol === 'https:' || isAppScheme(protocol.slice(0, -1)) ? url : undefined;
}

/** @param scheme in lower case, without the colon */
function isAppScheme(scheme: string): boolean {
  if (REVERSE_DOMAIN.test(scheme)) return true;
  return WORDS.test(scheme) && !scheme.split('-').some((word) => TAKEN.has(word));
}

/** The path that the index announces. */
export function authorizationPath(namespaces: NamespaceMap): string {
  return hasStockNames(namespaces) ? STOCK_AUTHORIZATION_PATH : AUTHORIZATION_PATH;
}
