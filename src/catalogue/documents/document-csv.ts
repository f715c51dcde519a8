import { csvLine, CSV_START } from './csv-line.ts';

/** A document in a list for machines; columns in this order. */
export interface DocumentRow {
  gtin: string;
  item_number: string;
  product: string;
  product_url: string;
  /** A field of the product interface, such as `datasheet`. */
  document_type: string;
  language: string;
  url: string;
  file_name: string;
  bytes: number | undefined;
  /** Day when it last changed, ISO. */
  modified: string | undefined;
  /** Hexadecimal. */
  sha256: string | undefined;
  /** Day since when another one holds, ISO; empty for what holds. */
  replaced: string | undefined;
  /** Day when the product left the range, ISO; empty for what is offered. */
  discontinued: string | undefined;
}

const COLUMNS = [
  'gtin',
  'item_number',
  'product',
  'product_url',
  'document_type',
  'language',
  'url',
  'file_name',
  'bytes',
  'modified',
  'sha256',
  'replaced',
  'discontinued',
] as const satisfies readonly (keyof DocumentRow)[];

export function documentCsv(rows: Iterable<DocumentRow>): string {
  const lines = [CSV_START, csvLine(COLUMNS)];
  for (const row of rows) lines.push(csvLine(COLUMNS.map((column) => row[column])));
  return lines.join('');
}
