import { digitalLinkPath } from '#catalogue/addresses/paths.ts';
import { formatCsv } from '#catalogue/documents/document-csv.ts';
import { isGtin13 } from '#contracts/gtin.ts';
import { saveBlob, saveZip } from '../downloads/choose-documents.ts';
import { fillPlaceholders, findElement } from '../find-element.ts';
import { updateLanguageLinks } from '../page-query.ts';
import { readStored, writeStored } from '../storage.ts';

const ITEMS = 'shortlist';

/** Maximum number of products shown. A ZIP has as many datasheets. */
const MAX_ITEMS = 100;
const MAX_ENTRY_CHARACTERS = 20;

/** Parses the GTINs of an address or of the storage. Other entries are shortened, and shown as unknown. */
export function parseItems(text: string | null): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim().slice(0, MAX_ENTRY_CHARACTERS));
  return [...new Set(entries)].filter(Boolean);
}

/** Returns the query of a shared list. */
export function shareQuery(items: readonly string[]): string {
  return items.length === 0 ? '' : `?items=${items.map(encodeURIComponent).join(',')}`;
}

interface Product {
  path: string;
  name: string;
  /** Language of the name and the figures if it differs from the page's language. */
  lang: string;
  /** Item number, GTIN and format. */
  numbers: string[];
  figures: (readonly [name: string, value: string])[];
  availability: Element | null;
  price: Element | null;
  datasheet: string | undefined;
}

interface Entry {
  row: HTMLTableRowElement;
  /** Undefined if the catalogue doesn't have it, or if it can't be loaded. */
  product: Promise<Product | undefined>;
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
  const [keep, zip, csv, share] = [button('keep'), button('zip'), button('csv'), button('share')];
  const canStore = writeStored(ITEMS, readStored(ITEMS) ?? undefined);
  const entries = new Map<string, Entry>();

  const setStatus = (text = ''): void => void (output.textContent = text);
  const query = (): URLSearchParams => new URLSearchParams(location.search);
  const stored = (): string[] => parseItems(readStored(ITEMS)).filter(isGtin13);
  const items = (): string[] => (query().has('items') ? parseItems(query().get('items')) : stored());
  const entryOf = (gtin: string): Entry => {
    const entry = entries.get(gtin) ?? createEntry(root, gtin);
    entries.set(gtin, entry);
    return entry;
  };
  const show = (): void => {
    const all = items();
    const shown = all.slice(0, MAX_ITEMS);
    const isShared = query().has('items') && canStore;
    const own = stored();
    body.replaceChildren(...shown.map((gtin) => entryOf(gtin).row));
    list.hidden = shown.length === 0;
    empty.hidden = !list.hidden;
    keep.hidden = !isShared || shown.every((gtin) => own.includes(gtin) || !isGtin13(gtin));
    const limit = { limit: String(MAX_ITEMS), count: String(all.length) };
    note.textContent = [
      isShared && dataset['shared'],
      !canStore && dataset['unsaved'],
      all.length > MAX_ITEMS && fillPlaceholders(dataset['limit'] ?? '', limit),
    ]
      .filter(Boolean)
      .join(' ');
    updateLanguageLinks(query());
  };
  /** Stores a list. A shared list, or one that can't be stored, changes only the address. */
  const save = (changed: readonly string[], isShared = false): void => {
    const isStored = !isShared && writeStored(ITEMS, changed.join(',') || undefined);
    // Reloading the page must not add a product again.
    history.replaceState(undefined, '', location.pathname + (isStored ? '' : shareQuery(changed)));
    setStatus();
    show();
  };
  const add = (added: readonly string[]): void => save([...new Set([...stored(), ...added.filter(isGtin13)])]);
  const loadProducts = () =>
    Promise.all(
      items()
        .slice(0, MAX_ITEMS)
        .map(async (gtin) => ({ gtin, product: await entryOf(gtin).product })),
    );

  body.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('button')?.closest('tr') : undefined;
    if (!row) return;
    const isShared = query().has('items');
    save(
      items().filter((gtin) => entries.get(gtin)?.row !== row),
      isShared,
    );
    // The focused button was removed.
    root.focus();
  });
  keep.addEventListener('click', () => {
    add(items());
    root.focus();
  });
  share.addEventListener('click', async () => {
    const address = location.origin + location.pathname + shareQuery(items());
    try {
      await navigator.clipboard.writeText(address);
      setStatus(dataset['copied']);
    } catch {
      // The visitor copies it from the address bar.
      location.assign(address);
    }
  });
  csv.addEventListener('click', async () => {
    const rows = (await loadProducts()).map(({ gtin, product }) => toCsvRow(gtin, product));
    const text = formatCsv([CSV_COLUMNS, ...rows], document.documentElement.lang);
    saveBlob(new Blob([text], { type: 'text/csv' }), 'products.csv');
  });
  zip.addEventListener('click', async () => {
    zip.disabled = true;
    const addresses = (await loadProducts()).flatMap(({ product }) => product?.datasheet ?? []);
    await saveZip([...new Set(addresses)], 'datasheets.zip', { texts: dataset, setStatus });
    zip.disabled = false;
  });
  addEventListener('storage', show);
  addEventListener('pageshow', ({ persisted }) => persisted && show());
  root.hidden = false;
  if (query().has('add')) add(parseItems(query().get('add')));
  else show();
}

/** Creates the row of a product, which is filled when its page is loaded. */
function createEntry(root: HTMLElement, gtin: string): Entry {
  const copy = document.importNode(findElement(root, 'template', HTMLTemplateElement).content, true);
  const row = findElement(copy, 'tr', HTMLTableRowElement);
  const link = findElement(row, 'a', HTMLAnchorElement);
  const details = findElement(row, 'small', HTMLElement);
  const setName = (name: string): void => {
    link.textContent = name;
    findElement(row, 'button', HTMLButtonElement).ariaLabel = fillPlaceholders(root.dataset['remove'] ?? '', { name });
  };
  setName(gtin);
  const product = loadProduct(gtin).catch(() => undefined);
  void product.then((found) => {
    details.textContent = found ? found.numbers.join(' · ') : (root.dataset['unknown'] ?? '');
    if (!found) return;
    setName(found.name);
    link.href = found.path;
    link.lang = found.lang;
    const [figures, availability, price] = row.querySelectorAll('td');
    for (const [name, value] of found.figures) {
      const line = document.createElement('p');
      line.lang = found.lang;
      line.append(`${name}: `, Object.assign(document.createElement('strong'), { textContent: value }));
      figures?.append(line);
    }
    availability?.append(found.availability ?? '');
    price?.append(found.price ?? '');
  });
  return { row, product };
}

/**
 * Loads a product from its page, which always is as recent as the rest of the site.
 *
 * @throws Error if the catalogue doesn't have it.
 */
async function loadProduct(gtin: string): Promise<Product | undefined> {
  if (!isGtin13(gtin)) return undefined;
  const { lang } = document.documentElement;
  const chooser = await readPage(digitalLinkPath(gtin));
  const translated = chooser.querySelector<HTMLAnchorElement>(`.language-list a[hreflang="${lang}"]`);
  const { href } = translated ?? findElement(chooser, '.language-list a', HTMLAnchorElement);
  const page = await readPage(href);
  // The chooser leaves out pages without translation, other languages link to them.
  const path = page.querySelector<HTMLAnchorElement>(`.languages a[hreflang="${lang}"][href*="/p/"]`)?.href ?? href;
  return parseProduct(path === href ? page : await readPage(path), path);
}

async function readPage(address: string): Promise<Document> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Reads a product from the head of its page. */
function parseProduct(page: Document, path: string): Product {
  const head = findElement(page, '.product-head', HTMLElement);
  const name = findElement(head, 'h1', HTMLElement);
  return {
    path,
    name: textOf(name),
    lang: name.lang || page.documentElement.lang,
    numbers: [...head.querySelectorAll('.numbers dd')].map(textOf),
    figures: [...head.querySelectorAll('.figures > div')].map(
      (figure) => [textOf(figure.querySelector('dt')), textOf(figure.querySelector('dd'))] as const,
    ),
    availability: head.querySelector('.availability'),
    price: head.querySelector('.price'),
    datasheet: head.querySelector<HTMLAnchorElement>('.actions [type="application/pdf"]')?.href,
  };
}

/** Returns a text without the line breaks of the markup. Other spaces are those of its language. */
function textOf(element: Element | null): string {
  return element?.textContent.replace(/[ \n]+/g, ' ').trim() ?? '';
}

const CSV_COLUMNS = ['gtin', 'item_number', 'product', 'product_url', 'values', 'availability', 'price', 'datasheet'];

function toCsvRow(gtin: string, product: Product | undefined): (string | undefined)[] {
  if (!product) return CSV_COLUMNS.map((_, i) => (i === 0 ? gtin : ''));
  const { numbers, name, path, figures, availability, price, datasheet } = product;
  const [item] = numbers[0] === gtin ? [] : numbers;
  const values = figures.map(([label, value]) => `${label}: ${value}`).join('; ');
  const state = textOf(availability?.querySelector('span') ?? null);
  return [gtin, item, name, path, values, state, textOf(price), datasheet];
}
