import { SortimentError } from '#contracts/index.ts';
import { PRODUCT_FIELDS, unitOf, type ProductField } from '#contracts/product/index.ts';

export type Changes = Partial<Record<ProductField, unknown>>;

/** They identify the record: with another one it would be another record. */
const FIXED: readonly string[] = ['gtin', 'language'];
const WRITTEN_AS_JSON: readonly ProductField[] = ['folded', 'attributes', 'materials'];

/**
 * Reads changes as a person writes them: `price=149.90`, `folded=true`, `intro=Text with spaces`, `height=null` to
 * clear, lists in JSON. Whether the values fit is for the contract to say, once they are in a record.
 *
 * @throws {SortimentError} CHANGE_INVALID
 */
export function readChanges(texts: readonly string[]): Changes {
  const changes: Changes = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const field = text.slice(0, Math.max(at, 0));
    if (at < 1) throw refuse(`"${text}" is not a change.`, 'Write it as field=value, such as price=149.90.');
    if (FIXED.includes(field))
      throw refuse(`The ${field} of a record can't be changed.`, 'Import a new record instead.');
    if (!isField(field))
      throw refuse(`Products have no field "${field}".`, `The fields are ${PRODUCT_FIELDS.join(', ')}.`);
    changes[field] = readChange(field, text.slice(at + 1));
  }
  return changes;
}

function readChange(field: ProductField, text: string): unknown {
  if (text === 'null') return null;
  if (WRITTEN_AS_JSON.includes(field)) return readJson(field, text);
  // A number where that keeps every digit that was written, else the text: a declared value is not ours to round.
  return unitOf(field).unit !== undefined && String(Number(text)) === text ? Number(text) : text;
}

function readJson(field: ProductField, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse(
      `The value of ${field} is not JSON: ${text}`,
      field === 'folded' ? 'Write true or false.' : 'Write a list of objects.',
      cause,
    );
  }
}

function isField(text: string): text is ProductField {
  return (PRODUCT_FIELDS as readonly string[]).includes(text);
}

function refuse(message: string, hint: string, cause?: unknown): SortimentError {
  return new SortimentError('CHANGE_INVALID', message, { hint, cause });
}
