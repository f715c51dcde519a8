import { html } from 'hono/html';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import type { ApplicationPasswordEntry } from './list-application-passwords.ts';
import type { ProductTokenEntry } from './list-product-tokens.ts';
import type { Html } from './render-page.ts';
import type { UserRow } from './user-row.ts';

const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });

/** The application passwords of an account, with the token of the forms that revoke them. */
export interface AccountPasswords {
  passwords: readonly ApplicationPasswordEntry[];
  formToken: string;
}

/** The body of the account page: who is signed in, and which tokens and passwords there are (not these themselves). */
export function renderAccount(
  user: UserRow,
  tokens: readonly ProductTokenEntry[],
  { passwords, formToken }: AccountPasswords,
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
    <h2>Tokens der Produktschnittstelle</h2>
    ${tokens.length === 0 ? html`<p>Zu diesem Konto gehört noch kein Token.</p>` : renderTokens(tokens)}
    <p>
      Die gültigen Tokens im Klartext stehen auf der Seite
      <a href="/${PRODUCT_ROOT}docs/">Dokumentation der Produktschnittstelle</a>.
    </p>
    <h2>Passwörter von Anwendungen</h2>
    ${passwords.length === 0 ? html`<p>Keine Anwendung darf in Ihrem Namen zugreifen.</p>` : renderPasswords(passwords, formToken)}`;
}

function renderPasswords(passwords: readonly ApplicationPasswordEntry[], formToken: string): Html {
  return html`<section class="scroll" aria-label="Passwörter von Anwendungen" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Anwendung</th>
          <th scope="col">Erzeugt am</th>
          <th scope="col">Zuletzt benutzt</th>
          <th scope="col">Widerruf</th>
        </tr>
      </thead>
      <tbody>
        ${passwords.map(
          ({ uuid, name, createdAt, lastUsedAt }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${day.format(createdAt)}</td>
              <td>${lastUsedAt ? day.format(lastUsedAt) : 'nie'}</td>
              <td>
                <form method="post" action="/admin/application-password/">
                  <input type="hidden" name="form_token" value="${formToken}" />
                  <input type="hidden" name="uuid" value="${uuid}" />
                  <button class="plain" aria-label="${name} widerrufen">Widerrufen</button>
                </form>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function renderTokens(tokens: readonly ProductTokenEntry[]): Html {
  return html`<section class="scroll" aria-label="Tokens" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Bezeichnung</th>
          <th scope="col">Erzeugt am</th>
          <th scope="col">Stand</th>
        </tr>
      </thead>
      <tbody>
        ${tokens.map(
          (token) =>
            html`<tr>
              <th scope="row">${token.label || `Token ${token.id}`}</th>
              <td>${day.format(token.createdAt)}</td>
              <td>${token.revokedAt ? `widerrufen am ${day.format(token.revokedAt)}` : 'gültig'}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
