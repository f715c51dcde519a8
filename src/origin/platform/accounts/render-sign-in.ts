import { html } from 'hono/html';
import type { Html } from './render-page.ts';

export interface SignInForm {
  formToken: string;
  next?: string | undefined;
  login?: string;
  /** What went wrong with the last try, as a sentence. */
  problem?: string;
  /** Whether it was the login or the password that was wrong; which of them is never told. */
  isMistyped?: boolean;
}

/** The body of the sign-in page. */
export function renderSignIn({ formToken, next, login = '', problem, isMistyped = false }: SignInForm): Html {
  const invalid = isMistyped ? html`aria-invalid="true" aria-describedby="fehler"` : '';
  return html`<div class="narrow">
    <h1>Anmelden</h1>
    ${problem === undefined ? '' : renderProblem(problem)}
    <form class="card wide" method="post" action="/admin/sign-in/">
      <input type="hidden" name="form_token" value="${formToken}" />
      ${next === undefined ? '' : html`<input type="hidden" name="next" value="${next}" />`}
      <div class="field">
        <label for="login">Benutzername oder E-Mail-Adresse</label>
        <input
          id="login"
          name="login"
          value="${login}"
          required
          maxlength="200"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          ${invalid}
        />
      </div>
      <div class="field">
        <label for="password">Passwort</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          maxlength="1024"
          autocomplete="current-password"
          ${invalid}
        />
      </div>
      <button>Anmelden</button>
    </form>
  </div>`;
}

function renderProblem(problem: string): Html {
  return html`<div class="alert" role="alert" id="fehler">
    <h2>Anmeldung nicht möglich</h2>
    <p>${problem}</p>
  </div>`;
}
