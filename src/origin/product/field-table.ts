import { product, PRODUCT_FIELDS, unitOf, type ProductField } from '#contracts/product/index.ts';
import { html } from 'hono/html';
import type { Html } from '#origin/platform/accounts/index.ts';
import { FIELD_MEANINGS } from './field-meanings.ts';

/** The fields of a product in the contract's order: name, kind, unit, meaning. */
export function fieldTable(): Html {
  return html`<section class="scroll" aria-labelledby="felder" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Feld</th>
          <th scope="col">Art</th>
          <th scope="col">Einheit</th>
          <th scope="col">Bedeutung</th>
        </tr>
      </thead>
      <tbody>
        ${PRODUCT_FIELDS.map(
          (field) =>
            html`<tr>
              <th scope="row"><code>${field}</code></th>
              <td>${kindOf(field)}</td>
              <td>${UNITS[unitOf(field).unit ?? ''] ?? unitOf(field).unit ?? ''}</td>
              <td>${FIELD_MEANINGS[field]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** Units that are words, in German; symbols are the same everywhere. */
const UNITS: Readonly<Record<string, string>> = { EUR: '€', 'trade units': 'Handelseinheiten' };

function kindOf(field: ProductField): string {
  const schema = product.shape[field];
  const { format, contentMediaType, unit } = schema.meta() ?? {};
  if (format === 'uri') return 'Link';
  if (contentMediaType === 'text/html') return 'HTML';
  if (unit !== undefined) return 'Zahl oder null';
  if (schema.safeParse([]).success) return 'Liste';
  if (schema.safeParse(true).success) return 'true, false oder null';
  return field === 'availability' ? 'Aufzählung' : 'Text';
}
