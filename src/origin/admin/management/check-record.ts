import type { Problem } from '#contracts/index.ts';
import {
  product,
  PRODUCT_FIELDS,
  parseProduct,
  type ProductField,
  type ProductRecord,
} from '#contracts/product/index.ts';

/**
 * Checks that a record can be served. Unknown fields and availability values are problems here, because the origin
 * would publish them. Links may be paths below the public address.
 */
export function checkRecord(wire: unknown, publicUrl: string): { record: ProductRecord } | { problems: Problem[] } {
  const reading = parseProduct(withAbsoluteLinks(wire, publicUrl));
  const drift = reading.warnings.map(({ field, problem }) => ({ field, problem: problem.replace(READ_AS, '') }));
  const problems = reading.ok ? drift : [...reading.problems, ...drift];
  return problems.length > 0 ? { problems } : { record: wire as ProductRecord };
}

/** Removes the note about how a reader interprets a value. */
const READ_AS = /, read as .*$/;
const LINK_FIELDS = PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri');

function withAbsoluteLinks(wire: unknown, publicUrl: string): unknown {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return wire;
  const record: Partial<Record<ProductField, unknown>> = { ...wire };
  for (const field of LINK_FIELDS) {
    const link = record[field];
    if (typeof link === 'string' && /^\/?(media|uploads)\//.test(link)) {
      record[field] = new URL(link.replace(/^\//, ''), `${publicUrl}/`).href;
    }
  }
  return record;
}
