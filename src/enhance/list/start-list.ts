import {
  MAX_COMPARED,
  type CatalogueTable,
  type FamilyTable,
  type TableColumn,
} from '#catalogue/facets/family-table.ts';
import { parseNumberInput, formatNumberInput } from '#catalogue/quantities/number-input.ts';
import { createElement, fillPlaceholders, fillText, findElement, readJson } from '../find-element.ts';
import { updateLanguageLinks, pushQuery } from '../page-query.ts';
import { markField, type NumberTexts } from '../number-field.ts';

/** Number of rows at first, and of each extension. */
const ROWS = 48;
/** Number of rows of a family in the list of all products. */
const FAMILY_ROWS = 12;
/** Maximum number of family tables that a filter of all products loads, for rows that the page doesn't have. */
const MAX_TABLES = 6;
const COMPARED = 'p';

/** The list of one family, with its built rows in the order of the family. */
interface Section {
  element: HTMLElement;
  body: HTMLTableSectionElement;
  rows: HTMLTableRowElement[];
  /** Link to the family in the list of all products. */
  more: HTMLElement | null;
}

/** Data of a list: a family, or all products without texts. */
type ListTable = FamilyTable | CatalogueTable;

/** Starts filters, sorting and comparison of a list. Data loads with the first filter, or with a shared address. */
export function startList(): void {
  const form = findElement(document, '#list', HTMLFormElement);
  for (const field of form.querySelectorAll<HTMLElement>('[data-column]')) addCheckboxes(field);
  const format = new Intl.NumberFormat(document.documentElement.lang).format;
  const status = findElement(form, '.list__state [role=status]', HTMLElement);
  const more = findElement(form, '[data-more]', HTMLButtonElement);
  const empty = findElement(form, '.list__empty', HTMLElement);
  const compare = findElement(form, '.list__compare', HTMLElement);
  const compareStatus = findElement(compare, '[role=status]', HTMLElement);
  const compareLink = findElement(compare, 'a', HTMLAnchorElement);
  const addLink = findElement(compare, '[data-add]', HTMLAnchorElement);
  const reset = findElement(form, '[type=reset]', HTMLButtonElement);
  const pages = document.querySelector<HTMLElement>('.pagination');
  const texts = JSON.parse(form.dataset['texts'] ?? '{}') as NumberTexts;
  const builtStatus = status.textContent;
  const sections = [...form.querySelectorAll<HTMLElement>('[data-family]')].map((element): Section => {
    const body = findElement(element, 'tbody', HTMLTableSectionElement);
    return { element, body, rows: [...body.rows], more: element.querySelector('.more') };
  });
  const isFamily = form.dataset['single'] !== undefined;
  const tables = new Map<string, Promise<FamilyTable>>();
  let table: ListTable | undefined;
  let chosen: string[] = [];
  let shown = ROWS;
  /** Number of the latest change: an earlier one must not overwrite its result. */
  let turn = 0;

  const fields = () =>
    [...form.elements].filter(
      (field): field is HTMLInputElement | HTMLSelectElement =>
        (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name !== '',
    );
  const readForm = (): URLSearchParams => {
    const query = new URLSearchParams();
    for (const field of fields()) {
      const isOff = field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked;
      const value = isLimit(field) ? readLimit(field, texts) : field.value;
      if (!isOff && value !== '') query.append(field.name, value);
    }
    return query;
  };
  const readAll = (): URLSearchParams => {
    const query = readForm();
    if (chosen.length > 0) query.append(COMPARED, chosen.join(','));
    return query;
  };
  const fillForm = (query: URLSearchParams): void => {
    for (const field of fields()) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox') {
        field.checked = query.getAll(field.name).includes(field.value);
        if (field.checked) scrollToOption(field);
      } else field.value = isLimit(field) ? writeLimit(query.get(field.name)) : (query.get(field.name) ?? '');
    }
    const requested = query.getAll(COMPARED).flatMap((list) => list.split(','));
    chosen = [...new Set(requested)].filter((gtin) => /^\d+$/.test(gtin)).slice(0, MAX_COMPARED);
  };
  const familyTable = (address: string, section: Section): Promise<FamilyTable> => {
    const found = tables.get(address) ?? readTable<FamilyTable>(address, [section]);
    tables.set(address, found);
    found.catch(() => tables.delete(address));
    return found;
  };

  const showCompared = (): void => {
    const boxes = [...form.querySelectorAll<HTMLInputElement>('.products__tick input')];
    const within = boxes.find(({ value }) => value === chosen[0])?.closest<HTMLElement>('[data-family]');
    for (const box of boxes) {
      box.checked = chosen.includes(box.value);
      const isOther = within && !within.contains(box);
      box.disabled = !box.checked && (chosen.length >= MAX_COMPARED || isOther === true);
    }
    const { compare: address, name = '' } = (within ?? sections[0]?.element)?.dataset ?? {};
    compare.hidden = chosen.length === 0;
    compareLink.hidden = chosen.length < 2 || !address;
    compareLink.href = `${address}?${COMPARED}=${chosen.join(',')}`;
    addLink.search = `add=${chosen.join(',')}`;
    fillText(compareStatus, { count: format(chosen.length), limit: format(MAX_COMPARED) });
    const note = fillPlaceholders(compareStatus.dataset['within'] ?? '', { family: name });
    if (!isFamily && chosen.length > 0) compareStatus.append(' ', note);
    reset.hidden = readAll().size === 0;
    updateLanguageLinks(readAll());
  };
  const showCounts = (counts: FilterResult['counts']): void => {
    for (const label of form.querySelectorAll('.options label')) {
      const box = findElement(label, 'input', HTMLInputElement);
      const count = counts.get(box.name)?.get(box.value) ?? 0;
      findElement(label, 'small', HTMLElement).textContent = format(count);
      label.classList.toggle('is-empty', count === 0 && !box.checked);
    }
  };
  /** Returns the rows of a section at the positions in its family. Missing rows are created from its table. */
  const rowsAt = async (section: Section, positions: readonly number[]): Promise<HTMLTableRowElement[]> => {
    const { rows, element } = section;
    const isComplete = positions.every((position) => rows[position]);
    const address = isFamily ? form.dataset['table'] : element.dataset['table'];
    if (isComplete || !address) return positions.flatMap((position) => rows[position] ?? []);
    const family = table && 'products' in table ? table : await familyTable(address, section);
    for (const position of positions) {
      const row = rows[position] ?? writeRow(rows[0], family, position, form.dataset['undeclared'] ?? '');
      if (row) rows[position] = row;
    }
    return positions.flatMap((position) => rows[position] ?? []);
  };
  const showSections = async (
    found: readonly number[],
    counts: readonly number[],
    query: URLSearchParams,
  ): Promise<void> => {
    const current = turn;
    const isOn = query.size > 0;
    let before = 0;
    let missing = 0;
    const lists = sections.map((section, i) => {
      const [from, to] = [before, (before += counts[i] ?? 0)];
      const positions = found.flatMap((index) => (index >= from && index < to ? index - from : []));
      // Without a link to the rest, all are shown.
      const limited = isFamily || section.more ? positions.slice(0, isFamily ? shown : FAMILY_ROWS) : positions;
      const isBuilt = limited.every((position) => section.rows[position]);
      if (!isBuilt) missing += 1;
      const listed = isBuilt || missing <= MAX_TABLES ? limited : limited.filter((position) => section.rows[position]);
      return { section, positions, listed, rows: rowsAt(section, listed) };
    });
    const rows = await Promise.all(lists.map((list) => list.rows));
    if (current !== turn) return;
    for (const [i, { section, positions, listed }] of lists.entries()) {
      section.body.replaceChildren(...(rows[i] ?? []));
      section.element.hidden = positions.length === 0;
      const entry = document.querySelector(
        `.index a[href="#${CSS.escape(section.element.dataset['family'] || 'other')}"]`,
      );
      if (entry) {
        findElement(entry, 'span', HTMLElement).textContent = format(positions.length);
        entry.parentElement?.toggleAttribute('hidden', positions.length === 0);
      }
      const link = section.more?.querySelector('a');
      if (!section.more || !link) continue;
      section.more.hidden = listed.length === positions.length;
      link.search = convertLimits(query, section.element.dataset['larger']?.split(' ') ?? []).toString();
      fillText(link, { count: format(positions.length), family: section.element.dataset['name'] ?? '' });
    }
    more.hidden = !isFamily || !isOn || found.length <= shown;
    if (pages) pages.hidden = isOn;
    showCompared();
  };
  const show = async (): Promise<void> => {
    const query = readForm();
    if (query.size === 0 && !table) return showCompared();
    const current = ++turn;
    try {
      table ??= await readTable<ListTable>(form.dataset['table'] ?? '', sections);
      if (current === turn) await showTable(table, query);
    } catch {
      if (current === turn) status.textContent = form.dataset['failed'] ?? '';
    }
  };
  const showTable = async (table: ListTable, query: URLSearchParams): Promise<void> => {
    const counts = 'counts' in table ? table.counts : [table.products.length];
    const size = counts.reduce((sum, count) => sum + count, 0);
    const { found, counts: tallies } = filterProducts({ ...table, size }, readFilterChoice(query, table.columns));
    showCounts(tallies);
    const isOn = query.size > 0;
    if (isOn) fillText(status, { count: format(found.length), total: format(size) });
    else status.textContent = builtStatus;
    empty.hidden = found.length > 0;
    await showSections(found, counts, query);
  };
  const restart = (): void => {
    shown = ROWS;
    void show();
  };

  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.closest('.products__tick')) {
      chosen = target.checked ? [...chosen, target.value] : chosen.filter((gtin) => gtin !== target.value);
      showCompared();
    } else restart();
  });
  form.addEventListener('change', () => pushQuery(readAll()));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    fillForm(new URLSearchParams());
    restart();
    pushQuery(readAll());
    // The focused button is hidden now.
    form.querySelector<HTMLElement>('select, .list__facets input')?.focus();
  });
  more.addEventListener('click', () => {
    const next = shown;
    shown += ROWS;
    // Moves the focus to the first new row.
    void show().then(() => sections[0]?.body.rows[next]?.querySelector('a')?.focus());
  });
  addEventListener('popstate', () => {
    fillForm(new URLSearchParams(location.search));
    restart();
  });
  fillForm(new URLSearchParams(location.search));
  void show();
}

/** Scrolls the line of options of a phone to a checked one. */
function scrollToOption(field: HTMLInputElement): void {
  const line = field.closest('ul');
  if (!line) return;
  const start = line.getBoundingClientRect().left + line.clientWidth / 2;
  line.scrollLeft += field.getBoundingClientRect().left - start;
}

/** Replaces the links of a facet by checkboxes of the same size. */
function addCheckboxes(field: HTMLElement): void {
  for (const link of field.querySelectorAll<HTMLElement>('ul:not(.scriptless) [data-option]')) {
    const box = createElement('input', {
      type: 'checkbox',
      className: 'visually-hidden',
      name: field.dataset['column'] ?? '',
      value: link.dataset['option'] ?? '',
    });
    link.replaceWith(createElement('label', {}, box, ...link.childNodes));
  }
}

/**
 * Reads the table of lists.
 *
 * @throws Error if it is missing, or has other rows than the page because the site was published again.
 */
async function readTable<T extends ListTable>(address: string, sections: readonly Section[]): Promise<T> {
  const table = await readJson<T>(address);
  const version = sections.map(({ element }) => element.dataset['version']).join(' ');
  if (table.version !== version) throw new Error(`${address} has other rows than the page`);
  return table;
}

/** Converts limits to units a thousand times as large, such as millimetres to metres. */
export function convertLimits(query: URLSearchParams, columns: readonly string[]): URLSearchParams {
  const converted = new URLSearchParams(query);
  for (const name of columns.flatMap((id) => [`${id}.min`, `${id}.max`])) {
    const number = readNumber(query.get(name));
    if (number !== undefined) converted.set(name, String(number / 1000));
  }
  return converted;
}

function isLimit(field: HTMLInputElement | HTMLSelectElement): field is HTMLInputElement {
  return field.inputMode === 'decimal';
}

/** Returns a limit in the locale-independent format of URLs; empty if invalid, which marks the field. */
function readLimit(field: HTMLInputElement, texts: NumberTexts): string {
  const reading = parseNumberInput(field.value, field.dataset['unit']);
  const isWrong = !reading.ok && reading.reason !== 'empty';
  markField(field, isWrong ? reading : undefined, texts);
  return reading.ok ? reading.text : '';
}

/** Formats a limit in the language of the page; empty if the URL's value is invalid. */
function writeLimit(text: string | null): string {
  const number = readNumber(text);
  return number === undefined ? '' : formatNumberInput(String(number), document.documentElement.lang);
}

/** Creates a row that the page doesn't have, with the markup of another row of its table. */
function writeRow(
  pattern: HTMLTableRowElement | undefined,
  { products, columns }: FamilyTable,
  index: number,
  undeclared: string,
): HTMLTableRowElement | undefined {
  const product = products[index];
  const row = pattern?.cloneNode(true);
  if (!product || !(row instanceof HTMLTableRowElement)) return undefined;
  const link = findElement(row, 'a', HTMLAnchorElement);
  link.href = product.path;
  link.textContent = product.name;
  setLanguage(link, product.lang);
  const box = findElement(row, 'input', HTMLInputElement);
  box.value = product.gtin;
  findElement(row, '.visually-hidden', HTMLElement).textContent = product.name;
  findElement(row, 'small', HTMLElement).textContent = [product.item, product.size].filter(Boolean).join(' · ');
  row.querySelector('.products__use')?.remove();
  const image = createElement('img', { src: product.image ?? '', alt: '', loading: 'lazy' });
  findElement(row, '.products__image', HTMLElement).replaceChildren(...(product.image ? [image] : []));
  for (const [i, cell] of [...row.querySelectorAll<HTMLElement>('[data-label]')].entries()) {
    const [value, norm] = [product.values[i], product.norms[i] ?? ''];
    cell.replaceChildren(value || '–', norm && createElement('small', {}, ` ${norm}`));
    cell.ariaLabel = value ? null : undeclared;
    setLanguage(cell, value ? product.lang : undefined);
  }
  const availability = columns.find(({ id }) => id === 'availability');
  const state = availability?.values[availability.of[index]?.[0] ?? -1];
  const name = state?.id?.replace('-', '_') ?? '';
  const icon = document.querySelector(`.availability--${name}`)?.cloneNode(true);
  findElement(row, '.products__state', HTMLElement).replaceChildren(icon ?? state?.text ?? '');
  return row;
}

/** @param tag BCP 47 tag. Undefined for the language of the page. */
function setLanguage(element: HTMLElement, tag: string | undefined): void {
  if (tag === undefined) element.removeAttribute('lang');
  else element.lang = tag;
}

type FilterColumn = CatalogueTable['columns'][number];

interface FilterResult {
  found: number[];
  /**
   * Maps columns and values to the number of products if that value were selected too. Ignores other values of the same
   * column.
   */
  counts: Map<string, Map<string, number>>;
}

/** Filters `size` products: values of a column are alternatives, and different columns must all match. */
export function filterProducts(
  { size, columns }: { size: number; columns: readonly FilterColumn[] },
  choice: FilterChoice,
): FilterResult {
  const tests = columns.map((column) => createTest(column, choice));
  const counts = new Map<string, Map<string, number>>(columns.map(({ id }) => [id, new Map()]));
  const found: number[] = [];
  for (let index = 0; index < size; index += 1) {
    const failed = tests.flatMap((test, i) => (test && !test(index) ? i : []));
    if (failed.length > 1) continue;
    if (failed.length === 0) found.push(index);
    // A product that fails in a single column counts for that column: selecting its value would include it.
    for (const [i, column] of columns.entries()) {
      const tally = counts.get(column.id);
      if (tally && (failed.length === 0 || failed[0] === i)) countValues(column, index, tally);
    }
  }
  return { found: sortIndexes(found, columns, choice.sort), counts };
}

function createTest({ id, values, of }: FilterColumn, choice: FilterChoice): ((index: number) => boolean) | undefined {
  const chosen = choice.values.get(id);
  const limits = choice.limits.get(id);
  if (!chosen && !limits) return undefined;
  const passing = values.map(({ id: value, low, high }) => {
    if (chosen) return value !== undefined && chosen.has(value);
    return limits !== undefined && low !== undefined && high !== undefined && high >= limits.min && low <= limits.max;
  });
  return (index) => of[index]?.some((value) => passing[value]) ?? false;
}

function countValues({ values, of }: FilterColumn, index: number, tally: Map<string, number>): void {
  // Two declared texts may belong to the same class.
  const ids = new Set(of[index]?.flatMap((value) => values[value]?.id ?? []));
  for (const id of ids) tally.set(id, (tally.get(id) ?? 0) + 1);
}

/** Sorts products; those without a value come last in either direction. */
function sortIndexes(indexes: number[], columns: readonly FilterColumn[], sort: FilterChoice['sort']): number[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!column || !sort) return indexes;
  const numberOf = (index: number): number => {
    const low = Math.min(...(column.of[index] ?? []).flatMap((value) => column.values[value]?.low ?? []));
    return sort.descending && low < Infinity ? -low : low;
  };
  const numbers = new Map(indexes.map((index) => [index, numberOf(index)]));
  // The difference of two infinite numbers is NaN.
  return indexes.toSorted((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0) || 0);
}

/** Selection of a list, stored in the URL's query so that it can be shared. */
interface FilterChoice {
  /** Maps columns to values; a product must have one of them. */
  values: Map<string, ReadonlySet<string>>;
  /** Maps columns to inclusive limits; a product's number must overlap them. */
  limits: Map<string, { min: number; max: number }>;
  sort?: { column: string; descending: boolean } | undefined;
}

/** Parses `fire-class=b&fire-class=e&width.min=60&sort=-width`. Ignores parameters that aren't columns. */
export function readFilterChoice(
  query: URLSearchParams,
  columns: readonly Pick<TableColumn, 'id' | 'kind'>[],
): FilterChoice {
  const choice: FilterChoice = { values: new Map(), limits: new Map() };
  for (const { id, kind } of columns) {
    if (query.has(id)) choice.values.set(id, new Set(query.getAll(id)));
    if (kind !== 'number') continue;
    const min = readNumber(query.get(`${id}.min`)) ?? -Infinity;
    const max = readNumber(query.get(`${id}.max`)) ?? Infinity;
    if (min > -Infinity || max < Infinity) choice.limits.set(id, { min, max });
  }
  const sort = query.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  if (columns.some(({ id }) => id === column)) choice.sort = { column, descending: sort.startsWith('-') };
  return choice;
}

function readNumber(text: string | null): number | undefined {
  const number = Number(text);
  return text && Number.isFinite(number) ? number : undefined;
}
