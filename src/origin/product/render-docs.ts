import { html } from 'hono/html';
import {
  availability,
  getProduct,
  listLanguages,
  listProducts,
  exportProducts,
  PRODUCT_ERRORS,
  PRODUCT_ROOT,
  type Language,
} from '#contracts/product/index.ts';
import type { Html } from '#origin/platform/accounts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { fieldTable } from './field-table.ts';

const EXAMPLE_GTIN = '9524010000016';

/** The body of the documentation page, in German. `access` is what the caller sees about their own token. */
export function renderDocs(context: OriginContext, languages: readonly Language[], access: Html): Html {
  const root = `${context.publicUrl}/${PRODUCT_ROOT}`;
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
      Schnittstelle ab der <a href="/${PRODUCT_ROOT}">Basisadresse</a> erkunden.
    </p>

    <h2 id="zugang">Zugang</h2>
    <p>
      Jede Anfrage trägt das Token im Kopf <code>Authorization</code>: das Wort „Token“, ein Leerzeichen, das Token.
    </p>
    ${access}

    <h2>Adressen</h2>
    <section class="scroll" aria-label="Adressen" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Pfad</th>
            <th scope="col">Antwort</th>
          </tr>
        </thead>
        <tbody>
          ${addressRow(getProduct.path, 'Ein Produkt. language wählt die Sprache.')}
          ${addressRow(listLanguages.path, 'Die verfügbaren Sprachen als Liste von code und name. Die erste ist die Hauptsprache.')}
          ${additions ? addressRow(listProducts.path, 'Alle Datensätze mit GTIN, Sprache und Änderungszeit, seitenweise (page, page_size). modified_after liefert nur, was danach geändert wurde; ohne Zeitzone gilt UTC.') : ''}
          ${additions ? addressRow(exportProducts.path, 'Alle Datensätze als NDJSON, ein JSON-Objekt je Zeile. language und modified_after wie oben.') : ''}
        </tbody>
      </table>
    </section>

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
    ${fieldTable()}
    <p>Werte von <code>availability</code>: ${availability.options.map((value) => html`<code>${value}</code> `)}</p>

    <h2>Fehler</h2>
    <p>Fehler kommen als JSON-Objekt mit <code>detail</code>. Ein Pfad, den es nicht gibt, ergibt eine HTML-Seite.</p>
    <section class="scroll" aria-label="Fehler" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          ${Object.values(PRODUCT_ERRORS).map(
            ({ status, detail }) =>
              html`<tr>
                <th scope="row">${status}</th>
                <td><code>${detail}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>

    <h2>Grenzen</h2>
    <p>
      ${requestsPerMinute > 0 ? `Je Token sind ${requestsPerMinute.toLocaleString('de-DE')} Anfragen in der Minute möglich. Danach folgt 429; der Kopf Retry-After nennt die Sekunden bis zur nächsten.` : 'Die Zahl der Anfragen ist nicht begrenzt.'}
      ${context.product.validators ? 'Antworten tragen einen ETag; mit If-None-Match kommt 304, wenn sich nichts geändert hat.' : ''}
    </p>`;
}

function exampleCommands(root: string, language: string, additions: boolean): string {
  const call = 'curl -H "Authorization: Token $TOKEN"';
  const commands = [
    `${call} ${root}product/${EXAMPLE_GTIN}/`,
    `${call} "${root}product/${EXAMPLE_GTIN}/?language=${language}"`,
    `${call} -H "Accept: application/json; indent=4" ${root}language/`,
  ];
  const added = [
    `${call} "${root}product/?modified_after=2026-11-01T00:00:00Z"`,
    `${call} ${root}export/ > produkte.ndjson`,
  ];
  return [...commands, ...(additions ? added : [])].join('\n\n');
}

const LANGUAGE_RULES = {
  fallback: 'Fehlt eine Sprache, kommt der Datensatz der Hauptsprache.',
  error: 'Fehlt eine Sprache, ist die Antwort 400.',
  'not-found': 'Fehlt eine Sprache, ist die Antwort 404.',
} as const;

function addressRow(path: string, text: string): Html {
  return html`<tr>
    <th scope="row"><code>${path}</code></th>
    <td>${text}</td>
  </tr>`;
}
