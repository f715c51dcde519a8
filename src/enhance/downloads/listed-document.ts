import type { DocumentRow } from '#catalogue/documents/document-csv.ts';
import { documentFileName } from '#catalogue/documents/document-file-name.ts';

/** A row of a table of documents that has one. */
export interface ListedDocument {
  row: HTMLTableRowElement;
  link: HTMLAnchorElement;
  box: HTMLInputElement;
  /** What the list of documents says of it. */
  facts: DocumentRow;
  /** Name and item number of its product. */
  product: string;
}

/** Reads the documents of a page, and puts a box before each. @param label Words the name of a box. */
export function listDocuments(label: (document: string, product: string) => string): ListedDocument[] {
  return [...document.querySelectorAll<HTMLTableRowElement>('.downloads tr[data-type]')].flatMap((row) => {
    const link = row.querySelector<HTMLAnchorElement>('a');
    const body = row.parentElement;
    const owner = body?.querySelector<HTMLAnchorElement>('[scope="rowgroup"] a');
    if (!link || !body || !owner) return [];
    const item_number = body.querySelector('[data-item]')?.textContent.trim() ?? '';
    const name = owner.textContent.trim();
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.setAttribute('aria-label', label(link.textContent.trim(), `${name} ${item_number}`.trim()));
    link.before(box);
    const { type, bytes, sha256, language, replaced } = row.dataset;
    const facts: DocumentRow = {
      gtin: body.dataset['gtin'] ?? '',
      item_number,
      product: name,
      product_url: owner.href,
      document_type: type ?? '',
      language: language ?? '',
      url: link.href,
      file_name: documentFileName(link.href),
      bytes: bytes === undefined ? undefined : Number(bytes),
      modified: row.querySelector('time')?.dateTime,
      sha256,
      replaced,
      discontinued: body.dataset['discontinued'],
    };
    return { row, link, box, facts, product: `${name} ${item_number}`.toLowerCase() };
  });
}
