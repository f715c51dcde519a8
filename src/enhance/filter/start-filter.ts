import { MAX_COMPARED, type FamilyTable, type TableValue, type TableColumn } from '#catalogue/facets/family-table.ts';
import { parseNumberInput, formatNumberInput } from '#catalogue/quantities/number-input.ts';
import { fillText, findElement, readJson } from '../find-element.ts';
import { updateLanguageLinks, pushQuery } from '../page-query.ts';
import { chosenProducts } from '../compare/start-compare.ts';
import { markField, type NumberTexts } from '../number-field.ts';

/** Maximum number of values next to the item number. */
const MAX_VALUES = 3;

/** Number of rows at first, and of each extension. */
const ROWS = 48;
const COMPARED = 'p';

/** Starts the form of a filter page, which is hidden until its table has loaded. */
export async function startFilter(): Promise<void> {
  const form = findElement(document, '#filter', HTMLFormElement);
  const status = findElement(form, '.filter__state [role=status]', HTMLElement);
  try {
    const table = await readJson<FamilyTable>(form.dataset['table'] ?? '');
    runFilter(form, status, table);
  } catch {
    status.textContent = form.dataset['failed'] ?? '';
  }
  form.hidden = false;
}

function runFilter(form: HTMLFormElement, status: HTMLElement, table: FamilyTable): void {
  const format = new Intl.NumberFormat(document.documentElement.lang).format;
  const list = findElement(form, '.rows', HTMLUListElement);
  const more = findElement(form, '[data-more]', HTMLButtonElement);
  const empty = findElement(form, '.filter__empty', HTMLElement);
  const template = findElement(form, 'template', HTMLTemplateElement);
  const compare = findElement(form, '.filter__compare', HTMLElement);
  const compareStatus = findElement(compare, '[role=status]', HTMLElement);
  const compareLink = findElement(compare, 'a', HTMLAnchorElement);
  const facets = findElement(form, '.filter__facets', HTMLDetailsElement);
  const reset = findElement(form, '[type=reset]', HTMLButtonElement);
  const texts = JSON.parse(form.dataset['texts'] ?? '{}') as NumberTexts;
  const order = [...form.querySelectorAll<HTMLElement>('[data-column]')].map(({ dataset }) => dataset['column'] ?? '');
  let chosen: string[] = [];
  let shown = ROWS;

  const fields = () =>
    [...form.elements].filter(
      (field): field is HTMLInputElement | HTMLSelectElement =>
        (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.name !== COMPARED,
    );
  const readForm = (): URLSearchParams => {
    const query = new URLSearchParams();
    for (const field of fields()) {
      const isOff = field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked;
      const value = isLimit(field) ? readLimit(field, texts) : field.value;
      if (!isOff && value !== '') query.append(field.name, value);
    }
    if (chosen.length > 0) query.append(COMPARED, chosen.join(','));
    return query;
  };
  const fillForm = (query: URLSearchParams): void => {
    for (const field of fields()) {
      if (field instanceof HTMLInputElement && field.type === 'checkbox')
        field.checked = query.getAll(field.name).includes(field.value);
      else field.value = isLimit(field) ? writeLimit(query.get(field.name)) : (query.get(field.name) ?? '');
    }
    chosen = chosenProducts(table.products, query);
  };
  const showCounts = ({ counts }: FilterResult): void => {
    for (const label of facets.querySelectorAll('.check')) {
      const box = findElement(label, 'input', HTMLInputElement);
      const count = counts.get(box.name)?.get(box.value) ?? 0;
      findElement(label, 'small', HTMLElement).textContent = format(count);
      label.classList.toggle('check--none', count === 0 && !box.checked);
    }
  };
  const showCompared = (): void => {
    compare.hidden = chosen.length === 0;
    compareLink.hidden = chosen.length < 2;
    compareLink.search = `?${COMPARED}=${chosen.join(',')}`;
    fillText(compareStatus, { count: format(chosen.length), limit: format(MAX_COMPARED) });
    for (const box of list.querySelectorAll<HTMLInputElement>(`[name=${COMPARED}]`)) {
      box.checked = chosen.includes(box.value);
      box.disabled = !box.checked && chosen.length >= MAX_COMPARED;
    }
  };
  const show = (): void => {
    const query = readForm();
    const choice = readFilterChoice(query, table.columns);
    const filtered = filterProducts(table, choice);
    const { found } = filtered;
    const used = [choice.sort?.column ?? '', ...choice.values.keys(), ...choice.limits.keys()].map((id) => [id]);
    const shownFirst = [...used, ...table.highlights, ...order.map((id) => [id])];
    list.replaceChildren(...found.slice(0, shown).map((index) => writeRow(template, table, index, shownFirst)));
    showCounts(filtered);
    showCompared();
    fillText(status, { count: format(found.length), total: format(table.products.length) });
    empty.hidden = found.length > 0;
    more.hidden = found.length <= shown;
    reset.hidden = query.size === 0;
    updateLanguageLinks(query);
  };
  const pushFormQuery = (): void => pushQuery(readForm());
  const restart = (): void => {
    shown = ROWS;
    show();
  };

  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === COMPARED) {
      chosen = target.checked ? [...chosen, target.value] : chosen.filter((gtin) => gtin !== target.value);
      showCompared();
      reset.hidden = readForm().size === 0;
      updateLanguageLinks(readForm());
    } else restart();
  });
  form.addEventListener('change', pushFormQuery);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    fillForm(new URLSearchParams());
    restart();
    pushFormQuery();
    // The focused button is hidden now.
    findElement(form, 'select', HTMLSelectElement).focus();
  });
  more.addEventListener('click', () => {
    const next = shown;
    shown += ROWS;
    show();
    // Moves the focus to the first new row.
    list.children[next]?.querySelector('a')?.focus();
  });
  addEventListener('popstate', () => {
    fillForm(new URLSearchParams(location.search));
    restart();
  });
  facets.open = matchMedia('(min-width: 60rem)').matches;
  fillForm(new URLSearchParams(location.search));
  show();
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
  return text && Number.isFinite(Number(text))
    ? formatNumberInput(String(Number(text)), document.documentElement.lang)
    : '';
}

/**
 * Renders a result row.
 *
 * @param order Columns by relevance; one of each group is shown.
 */
function writeRow(
  template: HTMLTemplateElement,
  { products, columns }: FamilyTable,
  index: number,
  order: readonly (readonly string[])[],
): Node {
  const row = document.importNode(template.content, true);
  const product = products[index];
  if (!product) return row;
  const link = findElement(row, 'a', HTMLAnchorElement);
  link.href = product.path;
  link.textContent = product.name;
  if (product.lang) link.lang = product.lang;
  findElement(row, 'dd', HTMLElement).textContent = product.item;
  findElement(row, 'input', HTMLInputElement).value = product.gtin;
  findElement(row, '.visually-hidden', HTMLElement).textContent = product.name;
  const values = findElement(row, 'dl', HTMLElement);
  const pattern = findElement(values, 'div', HTMLElement);
  const usedColumns = new Set<string>();
  for (const ids of order) {
    if (values.children.length > MAX_VALUES) break;
    const declaring = ids
      .filter((id) => !usedColumns.has(id))
      .flatMap((id) => columns.find((column) => column.id === id) ?? [])
      .map((column) => ({ column, declared: (column.of[index] ?? []).flatMap((value) => column.values[value] ?? []) }))
      .filter(({ declared }) => declared.length > 0);
    // A range takes precedence over the single value of the same property, as in `catalogue/products/key-values.ts`.
    const { column, declared } = declaring.find(({ declared: some }) => some.some(isRange)) ?? declaring[0] ?? {};
    if (!column || !declared) continue;
    usedColumns.add(column.id);
    const entry = pattern.cloneNode(true);
    if (!(entry instanceof HTMLElement)) continue;
    findElement(entry, 'dt', HTMLElement).textContent = column.name;
    const text = findElement(entry, 'dd', HTMLElement);
    text.textContent = declared.map((value) => value.text).join(', ');
    if (declared[0]?.lang) text.lang = declared[0].lang;
    values.append(entry);
  }
  return row;
}

function isRange({ low, high }: TableValue): boolean {
  return low !== undefined && high !== undefined && low < high;
}

interface FilterResult {
  /** Sorted indexes of the matching products. */
  found: number[];
  /**
   * Maps columns and values to the number of products if that value were selected too. Ignores other values of the same
   * column.
   */
  counts: Map<string, Map<string, number>>;
}

/** Filters products: values of a column are alternatives, and different columns must all match. */
export function filterProducts({ products, columns }: FamilyTable, choice: FilterChoice): FilterResult {
  const tests = columns.map((column) => createTest(column, choice));
  const counts = new Map<string, Map<string, number>>(
    columns.filter(({ kind }) => kind === 'choice').map(({ id }) => [id, new Map()]),
  );
  const found: number[] = [];
  for (const index of products.keys()) {
    const failed = failedTests(tests, index);
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

type Test = ((index: number) => boolean) | undefined;

function createTest({ id, values, of }: TableColumn, choice: FilterChoice): Test {
  const chosen = choice.values.get(id);
  const limits = choice.limits.get(id);
  if (!chosen && !limits) return undefined;
  const passing = values.map(({ id: value, low, high }) => {
    if (chosen) return value !== undefined && chosen.has(value);
    return limits !== undefined && low !== undefined && high !== undefined && high >= limits.min && low <= limits.max;
  });
  return (index) => of[index]?.some((value) => passing[value]) ?? false;
}

/** Returns the failed columns of a product, at most two. */
function failedTests(tests: readonly Test[], index: number): number[] {
  const failed: number[] = [];
  for (const [i, test] of tests.entries()) {
    if (test && !test(index)) failed.push(i);
    if (failed.length > 1) break;
  }
  return failed;
}

function countValues({ values, of }: TableColumn, index: number, tally: Map<string, number>): void {
  const ids = (of[index] ?? []).flatMap((value) => values[value]?.id ?? []);
  // Two declared texts may belong to the same class.
  for (const [i, id] of ids.entries()) if (ids.indexOf(id) === i) tally.set(id, (tally.get(id) ?? 0) + 1);
}

/** Sorts products; those without a value come last in either direction. */
function sortIndexes(indexes: number[], columns: readonly TableColumn[], sort: FilterChoice['sort']): number[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!column || !sort) return indexes;
  const numberOf = (index: number): number | undefined => {
    const numbers = (column.of[index] ?? []).flatMap((value) => column.values[value]?.low ?? []);
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  };
  const numbers = new Map(indexes.map((index) => [index, numberOf(index)]));
  return indexes.toSorted((a, b) => {
    const [left, right] = [numbers.get(a), numbers.get(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sort.descending ? right - left : left - right;
  });
}

/** Selection of a filter page, stored in the URL's query so that it can be shared. */
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
    if (kind === 'choice' && query.has(id)) choice.values.set(id, new Set(query.getAll(id)));
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
