import { digitalLinkPath } from '#catalogue/addresses/paths.ts';
import { formatCsv } from '#catalogue/documents/document-csv.ts';
import { isGtin13 } from '#contracts/gtin.ts';
import { isTypeset } from '#i18n/typeset.ts';
import { saveBlob, saveZip } from '../downloads/choose-documents.ts';
import { createElement, fillPlaceholders, findElement } from '../find-element.ts';
import { updateLanguageLinks } from '../page-query.ts';
import { readStored, writeStored } from '../storage.ts';

const ITEMS = 'shortlist';
/** Maximum number of products shown. */
const MAX_ITEMS = 100;
const MAX_ENTRY_CHARACTERS = 20;
const CSV_COLUMNS = ['gtin', 'item_number', 'product', 'product_url', 'values', 'availability', 'price', 'datasheet'];

/** Parses the GTINs of an address or of the storage. Other entries are shortened, and shown as unknown. */
export function parseItems(text: string | null): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim().slice(0, MAX_ENTRY_CHARACTERS));
  return [...new Set(entries)].filter(Boolean);
}

/** Returns the query of a shared list. */
export function shareQuery(items: readonly string[]): string {
  return `?items=${items.map(encodeURIComponent).join(',')}`;
}

/** Returns the entries of the last address of this tab with a list. */
function readLastAddress(): string | null {
  const queries = window.navigation?.entries().map(({ url }) => new URL(url ?? '', location.href).searchParams) ?? [];
  return queries.findLast((query) => query.has('items'))?.get('items') ?? null;
}

interface Item {
  row: HTMLTableRowElement;
  /** Fields of the CSV, complete when the product is loaded. */
  fields: Promise<string[]>;
}

/** Starts the shortlist: the products stored in this browser, or those of a shared address. */
export function startShortlist(): void {
  const root = findElement(document, '#shortlist', HTMLElement);
  const { dataset } = root;
  const note = findElement(root, '[role=status]', HTMLElement);
  const output = findElement(root, 'output', HTMLElement);
  const list = findElement(root, '[data-list]', HTMLElement);
  const body = findElement(root, 'tbody', HTMLTableSectionElement);
  const empty = findElement(root, '[data-empty]', HTMLElement);
  const button = (name: string) => findElement(root, `[name=${name}]`, HTMLButtonElement);
  const canStore = writeStored(ITEMS, readStored(ITEMS) ?? undefined);
  const cache = new Map<string, Item>();

  const report = (key: string, values: Record<string, string | number> = {}): void =>
    void (output.textContent = fillPlaceholders(dataset[key] ?? '', values));
  const query = (): URLSearchParams => new URLSearchParams(location.search);
  const stored = (): string[] => parseItems(canStore ? readStored(ITEMS) : readLastAddress()).filter(isGtin13);
  const items = (): string[] => (query().has('items') ? parseItems(query().get('items')) : stored());
  const shown = (): Item[] =>
    items()
      .slice(0, MAX_ITEMS)
      .map((gtin) => {
        const item = cache.get(gtin) ?? createItem(root, gtin);
        cache.set(gtin, item);
        return item;
      });
  const readFields = (): Promise<string[][]> => Promise.all(shown().map(({ fields }) => fields));
  const show = (): void => {
    const all = items();
    const own = stored();
    const isShared = query().has('items') && canStore;
    body.replaceChildren(...shown().map(({ row }) => row));
    list.hidden = all.length === 0;
    empty.hidden = !list.hidden;
    button('keep').hidden = !isShared || all.every((gtin) => own.includes(gtin) || !isGtin13(gtin));
    const notes = [
      isShared && dataset['shared'],
      !canStore && dataset['unsaved'],
      all.length > MAX_ITEMS && fillPlaceholders(dataset['limit'] ?? '', { limit: MAX_ITEMS, count: all.length }),
    ];
    note.textContent = notes.filter(Boolean).join(' ');
    note.hidden = note.textContent === '';
    updateLanguageLinks(query());
  };
  /** Stores a list. A shared list, or one that can't be stored, changes only the address. */
  const save = (changed: readonly string[], isShared = false): void => {
    const isStored = !isShared && writeStored(ITEMS, changed.join(',') || undefined);
    // Reloading the page must not add a product again.
    history.replaceState(undefined, '', location.pathname + (isStored ? '' : shareQuery(changed)));
    report('');
    show();
  };
  const add = (added: readonly string[]): void => save([...new Set([...stored(), ...added.filter(isGtin13)])]);

  body.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('button')?.closest('tr') : undefined;
    if (!row) return;
    const rest = items().filter((gtin) => cache.get(gtin)?.row !== row);
    save(rest, query().has('items'));
    // The focused button was removed.
    root.focus();
  });
  button('keep').addEventListener('click', () => {
    add(items());
    root.focus();
  });
  button('share').addEventListener('click', async () => {
    const address = location.origin + location.pathname + shareQuery(items());
    try {
      await navigator.clipboard.writeText(address);
      report('copied');
    } catch {
      // The visitor copies it from the address bar.
      location.assign(address);
    }
  });
  button('csv').addEventListener('click', async () => {
    const text = formatCsv([CSV_COLUMNS, ...(await readFields())], document.documentElement.lang);
    saveBlob(new Blob([text], { type: 'text/csv' }), 'products.csv');
  });
  button('zip').addEventListener('click', async () => {
    const addresses = (await readFields()).flatMap((fields) => fields.at(-1) || []);
    if (addresses.length === 0) report('missing');
    else await saveZip([...new Set(addresses)], 'datasheets.zip', report);
  });
  addEventListener('storage', show);
  addEventListener('pageshow', ({ persisted }) => persisted && show());
  root.hidden = false;
  if (query().has('add') || (!canStore && !query().has('items'))) add(parseItems(query().get('add')));
  else show();
}

function createItem(root: HTMLElement, gtin: string): Item {
  const copy = document.importNode(findElement(root, 'template', HTMLTemplateElement).content, true);
  const row = findElement(copy, 'tr', HTMLTableRowElement);
  setName(root, row, gtin);
  const fields = fillRow(root, row, gtin).catch(() => {
    findElement(row, 'small', HTMLElement).textContent = root.dataset['unknown'] ?? '';
    return CSV_COLUMNS.map((_, i) => (i === 0 ? gtin : ''));
  });
  return { row, fields };
}

function setName({ dataset }: HTMLElement, row: HTMLElement, name: string): void {
  findElement(row, 'a', HTMLAnchorElement).textContent = name;
  findElement(row, 'button', HTMLButtonElement).ariaLabel = fillPlaceholders(dataset['remove'] ?? '', { name });
}

/** Fills a row from the page of its product, and returns its fields. */
async function fillRow(root: HTMLElement, row: HTMLTableRowElement, gtin: string): Promise<string[]> {
  const { page, path } = await readProductPage(gtin);
  const head = findElement(page, '.product-head', HTMLElement);
  const heading = findElement(head, 'h1', HTMLElement);
  const name = textOf(heading);
  setName(root, row, name);
  const link = findElement(row, 'a', HTMLAnchorElement);
  link.href = path;
  link.lang = heading.lang || page.documentElement.lang;
  const numbers = [...head.querySelectorAll('.numbers dd')].map(textOf);
  findElement(row, 'small', HTMLElement).textContent = numbers.join('\u00A0· ');
  const values = [...head.querySelectorAll('.figures > div')].map((figure) => {
    const value = createElement('strong', {}, textOf(figure.querySelector('dd')));
    const name = figure.querySelector('dt')?.childNodes ?? [];
    return createElement('p', { lang: link.lang }, ...name, isTypeset(link.lang) ? '\u00A0: ' : ': ', value);
  });
  const state = head.querySelector('.availability');
  state?.querySelector('small')?.remove();
  const price = head.querySelector('.price');
  for (const [i, content] of [values, [state ?? ''], [price ?? '']].entries())
    row.querySelectorAll('td')[i]?.append(...content);
  return [
    gtin,
    numbers[0] === gtin ? '' : (numbers[0] ?? ''),
    name,
    path,
    values.map(textOf).join('; '),
    textOf(state),
    textOf(price),
    head.querySelector<HTMLAnchorElement>('.actions [type="application/pdf"]')?.href ?? '',
  ];
}

/**
 * Reads the page of a product in the language of this page.
 *
 * @throws Error if the catalogue doesn't have it.
 */
async function readProductPage(gtin: string): Promise<{ page: Document; path: string }> {
  if (!isGtin13(gtin)) throw new Error(`${gtin} is not a GTIN`);
  const hreflang = `a[hreflang="${document.documentElement.lang}"]`;
  const chooser = await readPage(digitalLinkPath(gtin));
  const translated = chooser.querySelector<HTMLAnchorElement>(`.language-list ${hreflang}`);
  const { href } = translated ?? findElement(chooser, '.language-list a', HTMLAnchorElement);
  const page = await readPage(href);
  // The chooser leaves out pages without translation. Other languages link to them.
  const path = page.querySelector<HTMLAnchorElement>(`.languages ${hreflang}[href*="/p/"]`)?.href ?? href;
  return { page: path === href ? page : await readPage(path), path };
}

async function readPage(address: string): Promise<Document> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Returns a text without the line breaks of the markup. Other spaces are those of its language. */
function textOf(element: Element | null): string {
  return element?.textContent.replace(/[ \n]+/g, ' ').trim() ?? '';
}
