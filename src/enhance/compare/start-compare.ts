import { MAX_COMPARED } from '#catalogue/facets/compare-rows.ts';
import type { FamilyTable, TableProduct } from '#catalogue/facets/family-table.ts';
import { carryQuery } from '../carry-query.ts';
import { fillText } from '../fill-text.ts';
import { findElement } from '../find-element.ts';
import { readJson } from '../read-json.ts';
import { rememberQuery } from '../remember-query.ts';
import { chosenProducts } from './chosen-products.ts';
import { writeComparison } from './write-comparison.ts';

/** Lets one choose which products of a family stand side by side. Without it, or without a choice, the first do. */
export async function startCompare(): Promise<void> {
  const form = findElement(document, '#compare-choice', HTMLFormElement);
  const family = await readJson<FamilyTable>(form.dataset['table'] ?? '').catch(() => undefined);
  if (!family) return;
  runCompare(form, family);
  form.hidden = false;
}

function runCompare(form: HTMLFormElement, family: FamilyTable): void {
  const format = new Intl.NumberFormat(document.documentElement.lang).format;
  const region = findElement(document, '.compare__region', HTMLElement);
  const head = findElement(region, 'thead', HTMLTableSectionElement);
  const body = findElement(region, 'tbody', HTMLTableSectionElement);
  const corner = findElement(head, 'th', HTMLTableCellElement);
  const status = findElement(form, '[role=status]', HTMLElement);
  const select = findElement(form, 'select', HTMLSelectElement);
  const add = findElement(form, 'button', HTMLButtonElement);
  const all = findElement(form, 'a', HTMLAnchorElement);
  const template = findElement(form, 'template', HTMLTemplateElement);
  const total = findElement(document, '#compare-all', HTMLElement);
  const texts = { undeclared: region.dataset['undeclared'] ?? '', differs: region.dataset['differs'] ?? '' };
  const built = {
    head: [...head.children],
    body: [...body.children],
    products: head.querySelectorAll('th').length - 1,
  };
  /** In a family of a few, all of them are what is compared. */
  const whole = family.products.length <= MAX_COMPARED ? family.products.map(({ gtin }) => gtin) : [];
  let chosen: string[] = [];

  const choice = (): URLSearchParams => new URLSearchParams(chosen.length > 0 ? { p: chosen.join(',') } : {});
  const show = (): void => {
    total.hidden = chosen.length > 0;
    all.hidden = chosen.length === 0;
    if (chosen.length === 0) {
      head.replaceChildren(...built.head);
      body.replaceChildren(...built.body);
    } else {
      const places = chosen.map((gtin) => family.products.findIndex((product) => product.gtin === gtin));
      const lines = writeComparison(family, places, { corner: corner.cloneNode(true), texts, remove: removeButton });
      head.replaceChildren(lines.head);
      body.replaceChildren(...lines.body);
    }
    const rest = family.products.filter(({ gtin }) => !chosen.includes(gtin));
    select.replaceChildren(...rest.map(({ gtin, name, item }) => new Option(`${name} (${item})`, gtin)));
    add.disabled = rest.length === 0 || chosen.length >= MAX_COMPARED;
    select.disabled = add.disabled;
    const limit = format(MAX_COMPARED);
    if (chosen.length === 0) fillText(status, { count: format(built.products), limit }, status.dataset['none']);
    else fillText(status, { count: format(chosen.length), limit });
    carryQuery(choice());
  };
  const choose = (gtins: string[]): void => {
    chosen = gtins;
    rememberQuery(choice());
    show();
  };
  const removeButton = ({ gtin, name }: TableProduct): Node => {
    const copy = document.importNode(template.content, true);
    const button = findElement(copy, 'button', HTMLButtonElement);
    button.ariaLabel = (form.dataset['remove'] ?? '').replace('{name}', () => name);
    button.addEventListener('click', () => {
      choose(chosen.filter((other) => other !== gtin));
      // The button is gone, and with it the place of the reader.
      region.focus();
    });
    return copy;
  };
  const readAddress = (): void => {
    const asked = chosenProducts(family.products, new URLSearchParams(location.search));
    chosen = asked.length > 0 ? asked : whole;
    show();
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (select.value) choose([...chosen, select.value]);
  });
  addEventListener('popstate', readAddress);
  readAddress();
}
