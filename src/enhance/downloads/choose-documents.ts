import { documentCsv } from '#catalogue/documents/document-csv.ts';
import { listDocuments, type ListedDocument } from './listed-document.ts';
import { offerFile } from './offer-file.ts';
import { DocumentUnavailableError, MAX_DOCUMENTS, MAX_MEGABYTES, zipDocuments } from './zip-documents.ts';

/** Lets people narrow the tables of documents by text, choose some, and have them as a ZIP or a list. */
export function chooseDocuments(tools: HTMLElement): void {
  const { dataset } = tools;
  const word = (key: string, values: Record<string, string | number> = {}): string =>
    (dataset[key] ?? '').replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
  const documents = listDocuments((name, product) => word('select', { document: name, product }));
  const output = tools.querySelector('output');
  const say = (text: string): void => {
    if (output) output.textContent = text;
  };
  const button = (name: string) => tools.querySelector<HTMLButtonElement>(`button[name="${name}"]`);
  const chosen = (): ListedDocument[] => documents.filter(({ box }) => box.checked);
  const sum = (of: readonly ListedDocument[]): string => {
    const bytes = new Map(of.map(({ facts }) => [facts.url, facts.bytes ?? 0]));
    const megabytes = [...bytes.values()].reduce((a, b) => a + b, 0) / 1_000_000;
    // Rounded up: a document of a few kilobytes is more than nothing.
    return new Intl.NumberFormat(dataset['language']).format(Math.ceil(megabytes * 10) / 10);
  };
  const count = (): void => {
    const now = chosen();
    say(now.length === 0 ? word('none') : word('chosen', { count: now.length, size: sum(now) }));
  };

  tools.querySelector('input')?.addEventListener('input', ({ target }) => {
    const text = target instanceof HTMLInputElement ? target.value.trim().toLowerCase() : '';
    for (const { row, product } of documents) if (row.parentElement) row.parentElement.hidden = !product.includes(text);
  });
  for (const { box } of documents) box.addEventListener('change', count);
  button('all')?.addEventListener('click', () => {
    for (const { row, box } of documents) if (row.offsetParent !== null) box.checked = true;
    count();
  });
  button('csv')?.addEventListener('click', () => {
    const rows = chosen().map(({ facts }) => facts);
    if (rows.length === 0) say(word('none'));
    else offerFile(new Blob([documentCsv(rows)], { type: 'text/csv' }), 'documents.csv');
  });
  const zip = button('zip');
  zip?.addEventListener('click', async () => {
    const now = chosen();
    const addresses = [...new Set(now.map(({ facts }) => facts.url))];
    const bytes = now.reduce((total, { facts }) => total + (facts.bytes ?? 0), 0);
    if (addresses.length === 0) return say(word('none'));
    if (addresses.length > MAX_DOCUMENTS || bytes > MAX_MEGABYTES * 1_000_000)
      return say(word('tooMuch', { limit: MAX_DOCUMENTS, size: MAX_MEGABYTES }));
    zip.disabled = true;
    try {
      const report = (done: number) => say(word('working', { done, count: addresses.length }));
      offerFile(await zipDocuments(addresses, report), 'documents.zip');
      say(word('done', { count: addresses.length }));
    } catch (error) {
      if (!(error instanceof DocumentUnavailableError)) throw error;
      say(word('failed', { file: error.file }));
    } finally {
      zip.disabled = false;
    }
  });
  count();
  tools.hidden = false;
}
