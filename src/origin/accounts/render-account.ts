import { html } from 'hono/html';
import { PRODUCT_ROOT } from '../../contracts/product/index.ts';
import type { ProductTokenEntry } from './list-product-tokens.ts';
import type { Html } from './render-page.ts';
import type { UserRow } from './user-row.ts';

const day = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });

/** The body of the account page: who is signed in, and which tokens there are (not the tokens themselves). */
export function renderAccount(user: UserRow, tokens: readonly ProductTokenEntry[]): Html {
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
    </p>`;
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
