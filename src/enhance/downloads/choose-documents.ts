import { downloadZip } from 'client-zip';
import { documentCsv, type DocumentRow, documentFileName } from '#catalogue/documents/document-csv.ts';
import { createElement, fillPlaceholders } from '../find-element.ts';

/** Limits that browsers handle well, including on phones. */
const MAX_DOCUMENTS = 100;

const MAX_MEGABYTES = 200;

/** Time for the browser to start the download. */
const STORED_MS = 60_000;

/** Lets visitors filter the document tables, select documents, and download them as a ZIP or a list. */
export function chooseDocuments(tools: HTMLElement): void {
  const { dataset } = tools;
  const formatText = (key: string, values: Record<string, string | number> = {}): string =>
    fillPlaceholders(dataset[key] ?? '', values);
  const documents = listDocuments((name, product) => formatText('select', { document: name, product }));
  const output = tools.querySelector('output');
  const report = (key: string, values?: Record<string, string | number>): void => {
    if (output) output.textContent = formatText(key, values);
  };
  const button = (name: string) => tools.querySelector<HTMLButtonElement>(`button[name="${name}"]`);
  const chosen = (): ListedDocument[] => documents.filter(({ box }) => box.checked);
  const sum = (selected: readonly ListedDocument[]): string => {
    const bytes = new Map(selected.map(({ details }) => [details.url, details.bytes ?? 0]));
    const megabytes = [...bytes.values()].reduce((a, b) => a + b, 0) / 1_000_000;
    // Rounded up, so that a few kilobytes aren't shown as zero.
    return new Intl.NumberFormat(dataset['language']).format(Math.ceil(megabytes * 10) / 10);
  };
  const [zip, csv] = [button('zip'), button('csv')];
  const updateFamilies = addFamilyBoxes(documents, button('all')?.textContent.trim() ?? '', () => count());
  const count = (): void => {
    updateFamilies();
    const now = chosen();
    for (const control of [zip, csv]) if (control) control.disabled = now.length === 0;
    report(now.length === 0 ? 'none' : 'chosen', { count: now.length, size: sum(now) });
  };

  tools.querySelector('input')?.addEventListener('input', ({ target }) => {
    const text = target instanceof HTMLInputElement ? target.value.trim().toLowerCase() : '';
    for (const { row, product } of documents) if (row.parentElement) row.parentElement.hidden = !product.includes(text);
    updateFamilies();
  });
  for (const { box } of documents) box.addEventListener('change', count);
  button('all')?.addEventListener('click', () => {
    for (const document of documents) if (isShown(document)) document.box.checked = true;
    count();
  });
  csv?.addEventListener('click', () => {
    const rows = chosen().map(({ details }) => details);
    saveBlob(new Blob([documentCsv(rows, dataset['language'] ?? '')], { type: 'text/csv' }), 'documents.csv');
  });
  zip?.addEventListener('click', async () => {
    const now = chosen();
    const addresses = [...new Set(now.map(({ details }) => details.url))];
    const bytes = now.reduce((total, { details }) => total + (details.bytes ?? 0), 0);
    if (addresses.length > MAX_DOCUMENTS || bytes > MAX_MEGABYTES * 1_000_000)
      return report('tooMuch', { limit: MAX_DOCUMENTS, size: MAX_MEGABYTES });
    zip.disabled = true;
    await saveZip(addresses, 'documents.zip', report).finally(() => (zip.disabled = false));
  });
  count();
  tools.hidden = false;
}

const isShown = ({ row }: ListedDocument): boolean => row.offsetParent !== null;

/**
 * Adds a checkbox to the heading of each family, which selects its shown documents.
 *
 * @param label Label before the name of the family.
 * @returns Updates the checkboxes, and hides families without a shown product.
 */
function addFamilyBoxes(documents: readonly ListedDocument[], label: string, onChange: () => void): () => void {
  const families = [...Map.groupBy(documents, ({ row }) => row.closest('section'))].flatMap(([section, members]) => {
    const heading = section?.querySelector('h2');
    if (!section || !heading) return [];
    const box = createElement('input', { type: 'checkbox', ariaLabel: `${label}: ${heading.textContent.trim()}` });
    heading.before(box);
    box.addEventListener('change', () => {
      for (const member of members.filter(isShown)) member.box.checked = box.checked;
      onChange();
    });
    return { section, box, members };
  });
  return () => {
    for (const { section, box, members } of families) {
      section.hidden = members.every(({ row }) => row.parentElement?.hidden);
      const shown = members.filter(isShown);
      const selected = shown.filter((member) => member.box.checked);
      box.checked = selected.length > 0 && selected.length === shown.length;
      box.indeterminate = selected.length > 0 && !box.checked;
    }
  };
}

/** Downloads a file created in the page. */
export function saveBlob(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  createElement('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), STORED_MS);
}

/** Downloads documents as a ZIP. Reports the messages `working`, `done` and `failed`. */
export async function saveZip(
  addresses: readonly string[],
  name: string,
  report: (key: string, values: Record<string, string | number>) => void,
): Promise<void> {
  const count = addresses.length;
  try {
    saveBlob(await zipDocuments(addresses, (done) => report('working', { done, count })), name);
    report('done', { count });
  } catch (error) {
    if (!(error instanceof DocumentUnavailableError)) throw error;
    report('failed', { file: error.file });
  }
}

/** A document that can't be loaded. The ZIP is then aborted, so that none is silently incomplete. */
class DocumentUnavailableError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`${file} could not be loaded`);
    this.file = file;
  }
}

/**
 * Packs documents into a ZIP, each of them once.
 *
 * @param addresses Absolute URLs; the page's policy blocks other hosts.
 * @throws DocumentUnavailableError
 */
async function zipDocuments(addresses: readonly string[], onProgress: (done: number) => void): Promise<Blob> {
  const files = [];
  for (const [done, address] of addresses.entries()) {
    onProgress(done);
    files.push({ name: documentFileName(address), input: await fetchDocument(address) });
  }
  return downloadZip(files).blob();
}

async function fetchDocument(address: string): Promise<Blob> {
  const response = await fetch(address).catch(() => undefined);
  // The connection may also fail within the file.
  const file = response?.ok ? await response.blob().catch(() => undefined) : undefined;
  if (!file) throw new DocumentUnavailableError(documentFileName(address));
  return file;
}

/** A table row with a document. */
interface ListedDocument {
  row: HTMLTableRowElement;
  link: HTMLAnchorElement;
  box: HTMLInputElement;
  details: DocumentRow;
  /** Name, item number and family of its product. */
  product: string;
}

/** Reads the documents of a page, and adds a checkbox with a label to each. */
function listDocuments(label: (document: string, product: string) => string): ListedDocument[] {
  return [...document.querySelectorAll<HTMLTableRowElement>('.downloads tr[data-type]')].flatMap((row) => {
    const link = row.querySelector<HTMLAnchorElement>('a');
    const body = row.parentElement;
    const owner = body?.querySelector<HTMLAnchorElement>('[scope="rowgroup"] a');
    if (!link || !body || !owner) return [];
    const item_number = body.querySelector('[data-item]')?.textContent.trim() ?? '';
    const name = owner.textContent.trim();
    const family = body.closest('section')?.querySelector('h2')?.textContent ?? '';
    const ariaLabel = label(link.textContent.trim(), `${name} ${item_number}`.trim());
    const box = createElement('input', { type: 'checkbox', ariaLabel });
    link.before(box);
    const { type, bytes, sha256, language, replaced } = row.dataset;
    const details: DocumentRow = {
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
    return { row, link, box, details, product: `${name} ${item_number} ${family}`.toLowerCase() };
  });
}
