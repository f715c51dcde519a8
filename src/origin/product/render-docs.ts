import { html } from 'hono/html';
import * as contract from '#contracts/product/index.ts';
import { getProduct, listLanguages, listProducts, exportProducts, PRODUCT_ERRORS } from '#contracts/product/routes.ts';
import { type Html, renderTable, signForm } from '#origin/platform/accounts/account-page.ts';
import { canReadProducts, decryptTokens } from '#origin/platform/accounts/product-tokens.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { ProductRequest } from './product-request.ts';
import fieldMeanings from './field-meanings.json' with { type: 'json' };

/** German descriptions of product fields for the documentation page, by their names in the contract. */
const FIELD_MEANINGS: Readonly<Record<contract.ProductField, string>> = fieldMeanings;

/** German names of units. Symbols are the same in every language. */
const UNITS: Readonly<Record<string, string>> = { EUR: '€', 'trade units': 'Handelseinheiten' };

const EXAMPLE_GTIN = '9524010000016';

/** Renders the body of the documentation page in German. */
export function renderDocs(context: OriginContext, languages: readonly contract.Language[], access: Html): Html {
  const root = `${context.publicUrl}/${contract.PRODUCT_ROOT}`;
  const { additions, requestsPerMinute } = context.product;
  const code = languages.at(-1)?.code ?? 'de-de';
  return html`<h1>Produktschnittstelle</h1>
    <p>
      Die Schnittstelle liefert die Daten der Produkte als JSON über HTTP, damit Webshops und andere Anwendungen sie
      aktuell zeigen können. Ein Produkt wird durch seine GTIN-13 bestimmt; die Sprache der Texte wählt jede Anfrage
      selbst. Es wird nur gelesen.
    </p>
    <p>
      Basisadresse: <code>${root}</code>. Alle Pfade enden mit einem Schrägstrich. Im Browser lässt sich die
      Schnittstelle ab der <a href="/${contract.PRODUCT_ROOT}">Basisadresse</a> erkunden.
    </p>

    <h2 id="zugang">Zugang</h2>
    <p>
      Jede Anfrage trägt das Token im Kopf <code>Authorization</code>: das Wort „Token“, ein Leerzeichen, das Token.
    </p>
    ${access}

    <h2>Adressen</h2>
    ${renderTable(
      'Adressen',
      ['Pfad', 'Antwort'],
      Object.entries({ ...ADDRESSES, ...(additions && ADDED_ADDRESSES) }).map(([path, text]) => [
        html`<code>${path}</code>`,
        text,
      ]),
    )}

    <h2>Beispiele</h2>
    <pre>${exampleCommands(root, code, additions)}</pre>

    <h2>Sprache</h2>
    <p>
      ${languages.length === 0 ? 'Noch ist keine Sprache eingerichtet.' : html`Verfügbar: ${languages.map(({ code, name }) => html`<code>${code}</code> (${name}) `)}.`}
      ${LANGUAGE_RULES[context.product.unknownLanguage]} Welche Sprache ein Datensatz hat, steht in seinem Feld
      <code>language</code>.
    </p>

    <h2 id="felder">Felder eines Produkts</h2>
    <p>
      <code>null</code> heißt „trifft nicht zu“, ein leerer Text „gibt es nicht“.
      ${context.product.decimals === 'string' ? 'Dezimalzahlen sind Texte mit Punkt, etwa "25.000".' : ''} HTML besteht
      aus Absätzen und Listen.
    </p>
    ${renderTable(
      'Felder eines Produkts',
      ['Feld', 'Art', 'Einheit', 'Bedeutung'],
      contract.PRODUCT_FIELDS.map((field) => {
        const { unit = '' } = contract.getFieldUnit(field);
        return [html`<code>${field}</code>`, kindOf(field), UNITS[unit] ?? unit, FIELD_MEANINGS[field]];
      }),
    )}
    <p>
      Werte von <code>availability</code>: ${contract.availability.options.map((value) => html`<code>${value}</code> `)}
    </p>

    <h2>Fehler</h2>
    <p>Fehler kommen als JSON-Objekt mit <code>detail</code>. Ein Pfad, den es nicht gibt, ergibt eine HTML-Seite.</p>
    ${renderTable(
      'Fehler',
      ['Status', 'Text'],
      Object.values(PRODUCT_ERRORS).map(({ status, detail }) => [status, html`<code>${detail}</code>`]),
    )}

    <h2>Grenzen</h2>
    <p>
      ${requestsPerMinute > 0 ? `Je Token sind ${requestsPerMinute.toLocaleString('de-DE')} Anfragen in der Minute möglich. Danach folgt 429; der Kopf Retry-After nennt die Sekunden bis zur nächsten.` : 'Die Zahl der Anfragen ist nicht begrenzt.'}
      ${context.product.validators ? 'Antworten tragen einen ETag; mit If-None-Match kommt 304, wenn sich nichts geändert hat.' : ''}
    </p>`;
}

function exampleCommands(root: string, language: string, additions: boolean): string {
  const curl = 'curl -H "Authorization: Token $TOKEN"';
  const added = [
    `${curl} "${root}product/?modified_after=2026-11-01T00:00:00Z"`,
    `${curl} ${root}export/ > produkte.ndjson`,
  ];
  return [
    `${curl} ${root}product/${EXAMPLE_GTIN}/`,
    `${curl} "${root}product/${EXAMPLE_GTIN}/?language=${language}"`,
    `${curl} -H "Accept: application/json; indent=4" ${root}language/`,
    ...(additions ? added : []),
  ].join('\n\n');
}

const LANGUAGE_RULES = {
  fallback: 'Fehlt eine Sprache, kommt der Datensatz der Hauptsprache.',
  error: 'Fehlt eine Sprache, ist die Antwort 400.',
  'not-found': 'Fehlt eine Sprache, ist die Antwort 404.',
} as const;

const ADDRESSES = {
  [getProduct.path]: 'Ein Produkt. language wählt die Sprache.',
  [listLanguages.path]: 'Die verfügbaren Sprachen als Liste von code und name. Die erste ist die Hauptsprache.',
};
const ADDED_ADDRESSES = {
  [listProducts.path]:
    'Alle Datensätze mit GTIN, Sprache und Änderungszeit, seitenweise (page, page_size). modified_after liefert nur, was danach geändert wurde; ohne Zeitzone gilt UTC.',
  [exportProducts.path]: 'Alle Datensätze als NDJSON, ein JSON-Objekt je Zeile. language und modified_after wie oben.',
};

/**
 * Renders the documentation's section on access: a sign-in link, the caller's tokens in clear text, or a button that
 * creates the first token.
 */
export async function renderAccessSection(context: OriginContext, { caller, target }: ProductRequest): Promise<Html> {
  if (!caller) {
    const address = `/admin/sign-in/?next=${encodeURIComponent(target)}`;
    return html`<p><a href="${address}">Melden Sie sich an</a>, um Ihr Token hier zu sehen.</p>`;
  }
  if (!canReadProducts(caller.user)) {
    return html`<p>Dieses Konto ist für die Produktschnittstelle noch nicht freigegeben.</p>`;
  }
  const tokens = await decryptTokens(context, caller.user.id);
  if (tokens.length > 0) return html`${tokens.map(renderToken)}`;
  if (!caller.session) return html``;
  return html`<p>Zu diesem Konto gehört noch kein Token.</p>
    <form method="post" action="/admin/product-token/">
      <input type="hidden" name="form_token" value="${signForm(context, 'product-token', caller.session.id)}" />
      <input type="hidden" name="next" value="${target}" />
      <button class="button">Token erzeugen</button>
    </form>`;
}

function renderToken({ label, token }: { label: string; token: string | undefined }): Html {
  const name = label === '' ? 'Ihr Token' : `Ihr Token „${label}“`;
  if (token === undefined) {
    return html`<p>${name} gilt, lässt sich aber nicht mehr anzeigen: Der Schlüssel des Servers wurde gewechselt.</p>`;
  }
  return html`<p>${name}: <code class="token">${token}</code></p>`;
}

function kindOf(field: contract.ProductField): string {
  const schema = contract.product.shape[field];
  const { format, contentMediaType, unit } = schema.meta() ?? {};
  if (format === 'uri') return 'Link';
  if (contentMediaType === 'text/html') return 'HTML';
  if (unit !== undefined) return 'Zahl oder null';
  if (schema.safeParse([]).success) return 'Liste';
  if (schema.safeParse(true).success) return 'true, false oder null';
  return field === 'availability' ? 'Aufzählung' : 'Text';
}
