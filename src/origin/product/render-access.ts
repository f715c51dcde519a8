import { html } from 'hono/html';
import {
  mayReadProducts,
  revealTokens,
  signForm,
  type Html,
  type RevealedToken,
} from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { ProductVisit } from './authenticate-caller.ts';

/**
 * What the documentation tells a caller about access: a way to sign in, their tokens in clear, or a button that
 * makes the first one.
 */
export async function renderAccess(context: OriginContext, { caller, target }: ProductVisit): Promise<Html> {
  if (!caller) {
    const address = `/admin/sign-in/?next=${encodeURIComponent(target)}`;
    return html`<p><a href="${address}">Melden Sie sich an</a>, um Ihr Token hier zu sehen.</p>`;
  }
  if (!mayReadProducts(caller.user)) {
    return html`<p>Dieses Konto ist für die Produktschnittstelle noch nicht freigegeben.</p>`;
  }
  const tokens = await revealTokens(context, caller.user.id);
  if (tokens.length > 0) return html`${tokens.map(renderToken)}`;
  if (!caller.session) return html``;
  return html`<p>Zu diesem Konto gehört noch kein Token.</p>
    <form method="post" action="/admin/product-token/">
      <input type="hidden" name="form_token" value="${signForm(context, 'product-token', caller.session.id)}" />
      <input type="hidden" name="next" value="${target}" />
      <button>Token erzeugen</button>
    </form>`;
}

function renderToken({ label, token }: RevealedToken): Html {
  const name = label === '' ? 'Ihr Token' : `Ihr Token „${label}“`;
  if (token === undefined) {
    return html`<p>${name} gilt, lässt sich aber nicht mehr anzeigen: Der Schlüssel des Servers wurde gewechselt.</p>`;
  }
  return html`<p>${name}: <code class="token">${token}</code></p>`;
}
