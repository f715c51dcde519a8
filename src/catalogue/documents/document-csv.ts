import { csvLine, CSV_START } from './csv-line.ts';

/** Row of the document list. Columns have this order. */
export interface DocumentRow {
  gtin: string;
  item_number: string;
  product: string;
  product_url: string;
  /** Field of the product interface, such as `datasheet`. */
  document_type: string;
  language: string;
  url: string;
  file_name: string;
  bytes: number | undefined;
  /** ISO date of the last change. */
  modified: string | undefined;
  /** Hexadecimal. */
  sha256: string | undefined;
  /** ISO date since which another document replaces it. Undefined for current documents. */
  replaced: string | undefined;
  /** ISO date on which the product was discontinued. Undefined for current products. */
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
