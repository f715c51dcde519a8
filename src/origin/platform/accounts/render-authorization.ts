import { html } from 'hono/html';
import type { Html } from './render-page.ts';

export interface AuthorizationForm extends AuthorizationRequest {
  formToken: string;
  /** Where the form goes. */
  path: string;
  /** What went wrong with the last try, as a sentence. */
  problem?: string;
}

/** The body of the page that asks whether an application may act for the user. */
export function renderAuthorization(form: AuthorizationForm): Html {
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
export function renderGranted(appName: string, password: string): Html {
  return html`<div class="narrow">
    <h1>Anwendung zugelassen</h1>
    <p>Das Passwort für <strong>${appName}</strong>:</p>
    <pre><code class="token">${password}</code></pre>
    <p>Tragen Sie es jetzt in die Anwendung ein: Es wird nicht noch einmal gezeigt.</p>
    <p><a href="/admin/">Zum Konto</a></p>
  </div>`;
}

/** The body of the page that says why nothing was asked. */
export function renderRefused(sentence: string): Html {
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
export interface AuthorizationRequest {
  appName: string;
  /** UUID that the application gave itself, or nothing. */
  appId: string;
  /** Where to go with the password. */
  success?: URL | undefined;
  /** Where to go without one. */
  reject?: URL | undefined;
}
