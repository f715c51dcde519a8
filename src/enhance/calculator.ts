import type { CalculatorProduct } from '#catalogue/quantities/calculator-products.ts';
import { type CountFormats, jointUse, unitsFor, formatNeed } from '#catalogue/quantities/material-need.ts';
import { parseNumberInput, formatNumberInput } from '#catalogue/quantities/number-input.ts';
import { CALCULATOR_FIELDS, FIELD_UNITS, findFieldProblem, type CalculatorField } from './calculator/check-field.ts';
import { fillPlaceholders, findElement, readJson } from './find-element.ts';
import { markField, type NumberTexts } from './number-field.ts';

const FIRST = { area: '100', length: '100', width: '10', depth: '8' };

type Texts = NumberTexts & Record<'result' | 'joint_length' | 'check', string>;
type Values = ReadonlyMap<CalculatorField, string>;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-calculator]')) void startCalculator(form);

/** Fills and shows the form. On failure the form stays hidden and only the tables are shown. */
async function startCalculator(form: HTMLFormElement): Promise<void> {
  const products = await readJson<CalculatorProduct[]>(form.dataset['calculator'] ?? '').catch(() => []);
  const choice = form.querySelector('select');
  if (!choice || products.length === 0) return;
  choice.append(...products.map(toOption));
  const query = new URLSearchParams(location.search);
  const first = products.find(({ gtin }) => gtin === query.get('p')) ?? products[0];
  choice.value = first?.gtin ?? '';
  const { lang } = document.documentElement;
  const start = { ...FIRST, allowance: String(first?.allowance ?? 0) };
  for (const field of CALCULATOR_FIELDS)
    inputOf(form, field).value = formatNumberInput(query.get(field) ?? start[field], lang);
  const chosen = (): CalculatorProduct | undefined => products.find(({ gtin }) => gtin === choice.value);
  const show = (): void => {
    const product = chosen();
    if (product) showNeed(form, product, formatsOf(lang));
  };
  choice.addEventListener('change', () => {
    inputOf(form, 'allowance').value = formatNumberInput(String(chosen()?.allowance ?? 0), lang);
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

function showNeed(form: HTMLFormElement, product: CalculatorProduct, formats: CountFormats): void {
  const texts = JSON.parse(form.dataset['texts'] ?? '{}') as Texts;
  const used = new Set<CalculatorField>([amountField(product), 'allowance']);
  if (product.use === undefined) used.add('width').add('depth');
  const values = new Map<CalculatorField, string>();
  const wrong: string[] = [];
  for (const field of CALCULATOR_FIELDS) {
    const input = inputOf(form, field);
    const isUsed = used.has(field);
    input.disabled = !isUsed;
    const part = findElement(form, `[data-field="${field}"]`, HTMLElement);
    part.hidden = !isUsed;
    if (!isUsed) continue;
    const reading = parseNumberInput(input.value, FIELD_UNITS[field]);
    const problem = findFieldProblem(field, reading, product);
    markField(input, problem, texts);
    if (problem) wrong.push(part.querySelector('label')?.textContent?.trim() ?? field);
    else if (reading.ok) values.set(field, reading.text);
  }
  const output = findElement(form, 'output', HTMLOutputElement);
  const isValid = wrong.length === 0;
  output.textContent = isValid
    ? formatResult(product, values, texts, formats)
    : fillPlaceholders(texts.check, { fields: formats.list(wrong) });
  if (isValid && product.lang) output.lang = product.lang;
  else output.removeAttribute('lang');
  // URLs contain locale-independent numbers; invalid numbers are omitted.
  const address = new URLSearchParams([['p', product.gtin], ...values]);
  history.replaceState(history.state, '', `?${address.toString()}`);
}

/** Formats the result: `2 rolls (150 m²) for 100 m² plus 10% allowance`. */
function formatResult(product: CalculatorProduct, values: Values, texts: Texts, formats: CountFormats): string {
  const fields = [amountField(product), 'width', 'depth', 'allowance'] as const;
  const [amount = '0', width = '0', depth = '0', percent = '0'] = fields.map((field) => values.get(field));
  const units = unitsFor({ ...product, allowance: Number(percent) }, amount, product.use ?? jointUse({ width, depth }));
  const length = formats.measure(amount, product.measuredIn);
  const joint = { length, width: formats.measure(width, 'mm'), depth: formats.measure(depth, 'mm') };
  return fillPlaceholders(texts.result, {
    need: formatNeed(units, product, product, formats),
    amount: product.use === undefined ? fillPlaceholders(texts.joint_length, joint) : length,
    percent: formats.measure(percent, '%'),
  });
}

function amountField({ measuredIn }: CalculatorProduct): CalculatorField {
  return measuredIn === 'm²' ? 'area' : 'length';
}

function formatsOf(language: string): CountFormats {
  const decimals = new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: 'min2' });
  return {
    count: new Intl.NumberFormat(language).format,
    measure: (text, unit) => `${decimals.format(Number(text))}\u00a0${unit}`,
    list: (parts) => new Intl.ListFormat(language).format(parts),
  };
}

function inputOf(form: HTMLFormElement, name: CalculatorField): HTMLInputElement {
  return findElement(form, `[name="${name}"]`, HTMLInputElement);
}
