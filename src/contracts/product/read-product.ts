import { cleanTexts } from '../clean-texts.ts';
import { readValue, type Problem } from '../read-value.ts';
import { availability } from './availability.ts';
import { PRODUCT_FIELDS, product, type Product, type ProductRecord } from './product.ts';

export type ProductReading =
  | {
      ok: true;
      product: Product;
      /** The record as it came, but for what was read tolerantly: it parses again to the same product. */
      record: ProductRecord;
      warnings: Problem[];
    }
  | { ok: false; problems: Problem[]; warnings: Problem[] };

/**
 * Reads a record of the product interface. Problems are what makes the record unusable; warnings are drift that
 * it survives: an unknown availability (read as `unknown`), a field that the contract doesn't know, characters that no
 * text has.
 *
 * @param asked What was requested. A record with another GTIN is a problem; one in another language is a
 *   fallback and stays readable: compare `product.language`.
 */
export function readProduct(wire: unknown, asked?: { gtin: string }): ProductReading {
  const warnings: Problem[] = [];
  const record = tolerate(wire, warnings);
  const reading = readValue(product, record);
  if (!reading.ok) return { ...reading, warnings };
  const absurd = findAbsurd(reading.value);
  if (absurd.length > 0) return { ok: false, problems: absurd, warnings };
  if (asked && reading.value.gtin !== asked.gtin) {
    const problem = `is ${reading.value.gtin}, but ${asked.gtin} was asked for`;
    return { ok: false, problems: [{ field: 'gtin', problem }], warnings };
  }
  return { ok: true, product: reading.value, record: record as ProductRecord, warnings };
}

/** What is of the right form, and can't be shown to anybody. */
function findAbsurd(read: Product): Problem[] {
  const negative = PRODUCT_FIELDS.filter((field) => {
    const value = read[field];
    return typeof value === 'object' && 'value' in value && value.value < 0;
  });
  return [
    ...(read.name.trim() === '' ? [{ field: 'name', problem: 'is empty' }] : []),
    ...negative.map((field) => ({ field, problem: 'is less than zero' })),
  ];
}

function tolerate(sent: unknown, warnings: Problem[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const wire: object = cleanTexts(sent);
  const cleaned = new Map(Object.entries(wire));
  for (const [field, value] of Object.entries(sent)) {
    if (!Object.hasOwn(product.shape, field)) warnings.push({ field, problem: 'is not a field of the interface' });
    else if (cleaned.get(field) !== value)
      warnings.push({ field, problem: 'has control characters or halves of a character, which are left out' });
  }
  if (!('availability' in wire) || availability.safeParse(wire.availability).success) return wire;
  warnings.push({
    field: 'availability',
    problem: `has the unknown value ${JSON.stringify(wire.availability)}, read as "unknown"`,
  });
  return { ...wire, availability: 'unknown' };
}
