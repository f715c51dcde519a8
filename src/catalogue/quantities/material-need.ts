import type { UnitWord } from '#contracts/unit-word.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { Additions } from '../products/additions.ts';
import { multiplyDecimals, quotientDown, quotientUp, shiftDecimal } from './decimal-arithmetic.ts';

const LARGER = { ml: 'l', g: 'kg' } as const;

export type NeedKind = 'sheet' | 'board' | 'tape' | 'joint' | 'bead' | 'surface';

/** What is needed of a product for a job, as far as its size or its overlay say. Numbers are decimal texts. */
export interface MaterialNeed {
  kind: NeedKind;
  /** What the job is measured in. */
  unit: 'm²' | 'm';
  /** What one trade unit holds, in `contentUnit`. */
  content: string;
  contentUnit: 'm²' | 'm' | 'ml' | 'g';
  /** What one `unit` takes, in `contentUnit`; undefined for a joint, where its width and depth decide. */
  use: string | undefined;
  /** Of a bead, in mm. */
  diameter: string | undefined;
  /** Percent that are added. */
  allowance: number;
  /** The widest joint that the product is declared for, in mm; undefined where none is declared or none is filled. */
  widest?: string | undefined;
}

export interface Joint {
  /** In mm. */
  width: string;
  depth: string;
}

export type Measured = Pick<ListedEntry, 'length' | 'width' | 'area'> & Partial<Pick<ListedEntry, 'joint'>>;

/** From here on a product sold by the metre is a sheet, and its usual unit the square metre. */
export const SHEET_WIDTH_M = 0.5;
/** What is longer comes on a roll. */
const BOARD_LENGTH_M = 3;
const BOARD_WIDTH_M = 0.3;
const TAPE_LENGTH_M = 1;

/** Extra in percent, where nobody says another: sheets are lapped, boards and tapes are cut. */
const ALLOWANCES = { sheet: 10, board: 5, tape: 5 };

/** Joints that tables show. */
export const COMMON_JOINTS: readonly Joint[] = [
  { width: '5', depth: '5' },
  { width: '10', depth: '8' },
  { width: '15', depth: '10' },
  { width: '20', depth: '10' },
];

/** Areas and lengths that tables show. */
export const COMMON_AMOUNTS = ['10', '50', '100', '500'] as const;

/** How to calculate the need of a product; undefined if neither its size nor its overlay say. */
export function materialNeed(
  { length, width, area, joint }: Measured,
  { content, coverage }: Pick<Additions, 'content' | 'coverage'>,
): MaterialNeed | undefined {
  if (content && coverage) {
    const need = coveredNeed(content, coverage);
    return need.use === undefined && joint ? { ...need, widest: joint.text } : need;
  }
  if (!length || !width || length.value <= 0 || width.value <= 0) return undefined;
  if (area && area.value > 0 && length.value > BOARD_LENGTH_M && width.value >= SHEET_WIDTH_M)
    return sized('sheet', 'm²', area.text);
  if (area && area.value > 0 && length.value <= BOARD_LENGTH_M && width.value >= BOARD_WIDTH_M)
    return sized('board', 'm²', area.text);
  return length.value >= TAPE_LENGTH_M && width.value < SHEET_WIDTH_M ? sized('tape', 'm', length.text) : undefined;
}

/** Whether the size of a product is enough to calculate its need. */
export function isMeasured(product: Measured): boolean {
  return materialNeed(product, {}) !== undefined;
}

function sized(kind: 'sheet' | 'board' | 'tape', unit: 'm²' | 'm', content: string): MaterialNeed {
  return { kind, unit, content, contentUnit: unit, use: '1', diameter: undefined, allowance: ALLOWANCES[kind] };
}

function coveredNeed(
  { value, unit }: NonNullable<Additions['content']>,
  coverage: NonNullable<Additions['coverage']>,
): MaterialNeed {
  const isSmall = unit === 'ml' || unit === 'g';
  const places = isSmall ? 0 : 3;
  const shared = {
    kind: coverage.of,
    content: shiftDecimal(value.text, places),
    contentUnit: unit === 'kg' || unit === 'g' ? ('g' as const) : ('ml' as const),
    allowance: coverage.allowance,
    diameter: undefined,
  };
  switch (coverage.of) {
    case 'joint':
      return { ...shared, unit: 'm', use: undefined };
    case 'bead':
      return {
        ...shared,
        unit: 'm',
        use: shiftDecimal(coverage.perMetre.text, places),
        diameter: coverage.diameter.text,
      };
    case 'surface':
      return { ...shared, unit: 'm²', use: shiftDecimal(coverage.perSquareMetre.text, places) };
  }
}

/** Whether the product is declared for such a joint. */
export function isWithin({ widest }: Pick<MaterialNeed, 'widest'>, { width }: Pick<Joint, 'width'>): boolean {
  return widest === undefined || Number(width) <= Number(widest);
}

/** Joints that a table of the product shows. */
export function jointsFor(need: Pick<MaterialNeed, 'widest'>): readonly Joint[] {
  return COMMON_JOINTS.filter((joint) => isWithin(need, joint));
}

/** Millilitres that a metre of a joint takes: a square millimetre over a metre is one. */
export function jointUse({ width, depth }: Joint): string {
  return multiplyDecimals(width, depth, 2);
}

/**
 * Trade units for a job, never less than it takes.
 * @param amount In the unit of the need.
 * @param use What one unit takes; that of the need, or of a joint.
 */
export function unitsFor(
  { content, allowance }: Pick<MaterialNeed, 'content' | 'allowance'>,
  amount: string,
  use: string,
): number {
  return quotientUp([amount, use, withAllowance(allowance)], [content, '100']);
}

/** How far a trade unit goes, in the unit of the need and with one decimal, never more than it does. */
export function reachOf({ content, allowance }: MaterialNeed, use: string): string {
  return quotientDown([content, '100'], [use, withAllowance(allowance)], 1);
}

function withAllowance(percent: number): string {
  return String(100 + percent);
}

/** How the language of the page writes numbers. */
export interface CountFormats {
  count: (value: number) => string;
  /** A decimal text with its unit. */
  measure: (text: string, unit: string) => string;
  list: (parts: readonly string[]) => string;
}

/** `2 rolls`; `2 × Gebinde` where nobody has written down the plural; the number alone where there is no word. */
export function countUnits(
  count: number,
  { word, forms, lang }: UnitWord,
  formats: Pick<CountFormats, 'count'>,
): string {
  const number = formats.count(count);
  if (word === '') return number;
  const form = forms?.[pluralRules(lang).select(count)] ?? forms?.['other'];
  return form === undefined ? `${number} × ${word}` : `${number} ${form}`;
}

const rulesByLanguage = new Map<string, Intl.PluralRules>();

/** Made once of each language: that takes a hundred times as long as to ask them. */
function pluralRules(lang: string): Intl.PluralRules {
  const rules = rulesByLanguage.get(lang) ?? new Intl.PluralRules(lang);
  rulesByLanguage.set(lang, rules);
  return rules;
}

/** What trade units come in: a box of ten, a pallet of 480. */
export interface PackageWord {
  unit: UnitWord;
  /** Trade units that it holds, a decimal text. */
  quantity: string;
}

/**
 * What to order, in sales units and with what they hold: `2 rolls (150 m²)`. Larger units are named when at least one
 * of them is filled: `45 rolls (3,375 m²) = 2 pallets and 5 rolls`. Nobody orders a pallet for two rolls.
 */
export function wordNeed(
  units: number,
  need: Pick<MaterialNeed, 'content' | 'contentUnit'>,
  { unit, packages }: { unit: UnitWord; packages: readonly PackageWord[] },
  formats: CountFormats,
): string {
  const ordered = `${countUnits(units, unit, formats)} (${contentOf(units, need, formats)})`;
  const packed = packUnits(units, packages);
  if (packed.length === 0) return ordered;
  const rest = packed.reduce((left, { count, quantity }) => left - count * quantity, units);
  const parts = packed.map(({ count, of }) => countUnits(count, of, formats));
  return `${ordered} = ${formats.list(rest > 0 ? [...parts, countUnits(rest, unit, formats)] : parts)}`;
}

/** Filled packages, the largest first. */
function packUnits(units: number, packages: readonly PackageWord[]) {
  const sizes = packages
    .map(({ unit, quantity }) => ({ of: unit, quantity: Number(quantity) }))
    .filter(({ quantity }) => Number.isInteger(quantity) && quantity > 1)
    .toSorted((a, b) => b.quantity - a.quantity);
  let left = units;
  return sizes.flatMap(({ of, quantity }) => {
    const count = Math.floor(left / quantity);
    left -= count * quantity;
    return count > 0 ? [{ of, count, quantity }] : [];
  });
}

/** What so many trade units hold; from a thousand on in the larger unit. */
function contentOf(
  units: number,
  { content, contentUnit }: Pick<MaterialNeed, 'content' | 'contentUnit'>,
  { measure }: CountFormats,
): string {
  const amount = multiplyDecimals(content, String(units), content.split('.')[1]?.length ?? 0);
  return (contentUnit === 'ml' || contentUnit === 'g') && Number(amount) >= 1000
    ? measure(shiftDecimal(amount, -3), LARGER[contentUnit])
    : measure(amount, contentUnit);
}
