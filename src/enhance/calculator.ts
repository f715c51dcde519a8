import type { CalculatorProduct } from '../catalogue/quantities/calculator-products.ts';
import { jointUse, packsFor, unitsFor } from '../catalogue/quantities/material-need.ts';
import { readJson } from './read-json.ts';

/** What a reader begins with. */
const FIRST = { area: '100', length: '100', width: '10', depth: '8' };

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-calculator]')) void startCalculator(form);

/** Fills the form and shows it. Where that fails, it stays hidden, and the tables stay what there is. */
async function startCalculator(form: HTMLFormElement): Promise<void> {
  const products = await readJson<CalculatorProduct[]>(form.dataset['calculator'] ?? '').catch(() => []);
  const choice = form.querySelector('select');
  if (!choice || products.length === 0) return;
  choice.append(...products.map(toOption));
  const asked = new URLSearchParams(location.search);
  const first = products.find(({ gtin }) => gtin === asked.get('p')) ?? products[0];
  choice.value = first?.gtin ?? '';
  for (const [name, value] of Object.entries(FIRST)) inputOf(form, name).value = asked.get(name) ?? value;
  const chosen = (): CalculatorProduct | undefined => products.find(({ gtin }) => gtin === choice.value);
  inputOf(form, 'allowance').value = asked.get('allowance') ?? String(first?.allowance ?? 0);
  const show = (): void => {
    const product = chosen();
    if (product) showNeed(form, product);
  };
  choice.addEventListener('change', () => {
    inputOf(form, 'allowance').value = String(chosen()?.allowance ?? 0);
    show();
  });
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  show();
  form.hidden = false;
}

function toOption({ gtin, name, lang }: CalculatorProduct): HTMLOptionElement {
  const option = new Option(name, gtin);
  if (lang) option.lang = lang;
  return option;
}

function showNeed(form: HTMLFormElement, product: CalculatorProduct): void {
  const amountField = product.unit === 'm²' ? 'area' : 'length';
  const isJoint = product.use === undefined;
  const used = [amountField, 'allowance', ...(isJoint ? ['width', 'depth'] : [])];
  for (const name of ['area', 'length', 'width', 'depth', 'allowance']) {
    const input = inputOf(form, name);
    const isUsed = used.includes(name);
    input.disabled = !isUsed;
    if (input.parentElement) input.parentElement.hidden = !isUsed;
    input.setAttribute('aria-invalid', String(isUsed && readNumber(input, name) === undefined));
  }
  const output = form.querySelector('output');
  if (output) {
    output.textContent = wordNeed(form, product, amountField);
    output.lang = product.lang ?? '';
    if (!product.lang) output.removeAttribute('lang');
  }
  const address = new URLSearchParams([['p', product.gtin], ...used.map((name) => [name, inputOf(form, name).value])]);
  history.replaceState(history.state, '', `?${address.toString()}`);
}

/** `2 × Rolle; verpackt: 1 × Palette`, or what is wrong. */
function wordNeed(form: HTMLFormElement, product: CalculatorProduct, amountField: string): string {
  const read = (name: string) => readNumber(inputOf(form, name), name);
  const [amount, allowance] = [read(amountField), read('allowance')];
  const [width, depth] = product.use === undefined ? [read('width'), read('depth')] : ['1', '1'];
  const { invalid = '', units: counted = '', packed = '' } = form.dataset;
  if (!amount || !allowance || !width || !depth) return invalid;
  const use = product.use ?? jointUse({ width, depth });
  const units = unitsFor({ ...product, allowance: Number(allowance) }, amount, use);
  const format = new Intl.NumberFormat(document.documentElement.lang);
  const word = (count: number, unit: string) =>
    counted.replace('{count}', () => format.format(count)).replace('{unit}', () => unit);
  const packs = product.packages.map(({ unit, quantity }) => word(packsFor(units, quantity), unit)).join(', ');
  const needed = word(units, product.tradeUnit);
  return packs ? `${needed}; ${packed.replace('{packs}', () => packs)}` : needed;
}

function inputOf(form: HTMLFormElement, name: string): HTMLInputElement {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) return input;
  throw new Error(`The calculator has no field "${name}".`);
}

/** As people write numbers, with a comma or a point; more than zero, and no more than a site ever needs. */
function readNumber({ value }: HTMLInputElement, name: string): string | undefined {
  const text = value.trim().replace(',', '.');
  if (!/^\d{1,7}(?:\.\d{1,4})?$/.test(text)) return undefined;
  return name === 'allowance' ? (Number(text) <= 100 ? text : undefined) : Number(text) > 0 ? text : undefined;
}
