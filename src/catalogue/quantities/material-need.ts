import type { UnitName } from '#contracts/localized.ts';
import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import type { OverlayData } from '../products/listed-product.ts';
import { cacheByText } from '../cache.ts';
import { multiplyDecimals, quotientDown, quotientUp, shiftDecimal } from './decimal-arithmetic.ts';

const LARGER = { ml: 'l', g: 'kg' } as const;

export type NeedKind = 'sheet' | 'board' | 'tape' | 'joint' | 'bead' | 'surface';

/** Material need of a product, derived from its size or its overlay. Numbers are decimal texts. */
export interface MaterialNeed {
  kind: NeedKind;
  /** Unit of the amount that a visitor enters. */
  unit: 'm²' | 'm';
  /** Content of one trade unit, in `contentUnit`. */
  content: string;
  contentUnit: 'm²' | 'm' | 'ml' | 'g';
  /** Consumption per `unit`, in `contentUnit`. Undefined for a joint, whose width and depth determine it. */
  use: string | undefined;
  /** Diameter of a bead in mm. */
  diameter: string | undefined;
  allowance: number;
  /** Maximum declared joint width in mm. Undefined if none is declared. */
  widest?: string | undefined;
}

export interface Joint {
  /** In mm. */
  width: string;
  depth: string;
}

export type MeasuredProduct = Pick<ProductListEntry, 'length' | 'width' | 'area'> &
  Partial<Pick<ProductListEntry, 'joint'>>;

/** Minimum width of sheets, which are measured in square metres. Narrower products are tapes. */
export const SHEET_WIDTH_M = 0.5;
/** Maximum length of boards. Longer products come on a roll. */
const BOARD_LENGTH_M = 3;
const BOARD_WIDTH_M = 0.3;
const TAPE_LENGTH_M = 1;

/** Default allowances in percent: sheets overlap, boards and tapes are cut. */
const ALLOWANCES = { sheet: 10, board: 5, tape: 5 };

/** Joint sizes shown in tables. */
export const COMMON_JOINTS: readonly Joint[] = [
  { width: '5', depth: '5' },
  { width: '10', depth: '8' },
  { width: '15', depth: '10' },
  { width: '20', depth: '10' },
];

/** Areas and lengths shown in tables. */
export const COMMON_AMOUNTS = ['10', '50', '100', '500'] as const;

/** Returns the material need of a product. Undefined if neither its size nor its overlay determines it. */
export function materialNeed(
  { length, width, area, joint }: MeasuredProduct,
  { content, coverage }: Pick<OverlayData, 'content' | 'coverage'>,
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

/** True if the need can be calculated from the size of a product. */
export function isCalculable(product: MeasuredProduct): boolean {
  return materialNeed(product, {}) !== undefined;
}

function sized(kind: 'sheet' | 'board' | 'tape', unit: 'm²' | 'm', content: string): MaterialNeed {
  return { kind, unit, content, contentUnit: unit, use: '1', diameter: undefined, allowance: ALLOWANCES[kind] };
}

function coveredNeed(
  { value, unit }: NonNullable<OverlayData['content']>,
  coverage: NonNullable<OverlayData['coverage']>,
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

/** True if the product is declared for joints of this width. */
export function isWithinJointWidth({ widest }: Pick<MaterialNeed, 'widest'>, { width }: Pick<Joint, 'width'>): boolean {
  return widest === undefined || Number(width) <= Number(widest);
}

export function jointsFor(need: Pick<MaterialNeed, 'widest'>): readonly Joint[] {
  return COMMON_JOINTS.filter((joint) => isWithinJointWidth(need, joint));
}

/**
 * Returns the consumption of a joint in millilitres per metre. One square millimetre over a metre is one millilitre.
 */
export function jointUse({ width, depth }: Joint): string {
  return multiplyDecimals(width, depth, 2);
}

/**
 * Returns the number of trade units for a job, rounded up.
 * @param amount Amount in the unit of the need.
 * @param use Consumption per unit, of the need or of a joint.
 */
export function unitsFor(
  { content, allowance }: Pick<MaterialNeed, 'content' | 'allowance'>,
  amount: string,
  use: string,
): number {
  return quotientUp([amount, use, withAllowance(allowance)], [content, '100']);
}

/** Returns the amount that a trade unit covers, in the unit of the need. Truncated to one decimal. */
export function coveredAmount({ content, allowance }: MaterialNeed, use: string): string {
  return quotientDown([content, '100'], [use, withAllowance(allowance)], 1);
}

function withAllowance(percent: number): string {
  return String(100 + percent);
}

/** Number formats of the page's language. */
export interface CountFormats {
  count: (value: number) => string;
  /** Formats a decimal text with its unit. */
  measure: (text: string, unit: string) => string;
  list: (parts: readonly string[]) => string;
}

/**
 * Formats a number of units: `2 rolls`. Falls back to `2 × Gebinde` without a plural form, and to the number without a
 * unit.
 */
export function countUnits(
  count: number,
  { word, forms, lang }: UnitName,
  formats: Pick<CountFormats, 'count'>,
): string {
  const number = formats.count(count);
  if (word === '') return number;
  const form = forms?.[pluralRules(lang).select(count)] ?? forms?.['other'];
  return form === undefined ? `${number} × ${word}` : `${number} ${form}`;
}

/** Cached, because creating rules takes a hundred times as long as using them. */
const pluralRules = cacheByText((lang) => new Intl.PluralRules(lang));

export interface PackageUnit {
  unit: UnitName;
  /** Number of trade units, as decimal text. */
  quantity: string;
}

/**
 * Formats an order in trade units with their content: `2 rolls (150 m²)`. Packaging units are named if at least one is
 * full: `45 rolls (3,375 m²) = 2 pallets and 5 rolls`.
 */
export function formatNeed(
  units: number,
  need: Pick<MaterialNeed, 'content' | 'contentUnit'>,
  { unit, packages }: { unit: UnitName; packages: readonly PackageUnit[] },
  formats: CountFormats,
): string {
  const ordered = `${countUnits(units, unit, formats)} (${contentOf(units, need, formats)})`;
  const packed = packUnits(units, packages);
  if (packed.length === 0) return ordered;
  const rest = packed.reduce((left, { count, quantity }) => left - count * quantity, units);
  const parts = packed.map(({ count, unit: packageUnit }) => countUnits(count, packageUnit, formats));
  return `${ordered} = ${formats.list(rest > 0 ? [...parts, countUnits(rest, unit, formats)] : parts)}`;
}

function packUnits(units: number, packages: readonly PackageUnit[]) {
  const sizes = packages
    .map(({ unit, quantity }) => ({ unit, quantity: Number(quantity) }))
    .filter(({ quantity }) => Number.isInteger(quantity) && quantity > 1)
    .toSorted((a, b) => b.quantity - a.quantity);
  let left = units;
  return sizes.flatMap(({ unit, quantity }) => {
    const count = Math.floor(left / quantity);
    left -= count * quantity;
    return count > 0 ? [{ unit, count, quantity }] : [];
  });
}

/** Formats the content of trade units. Amounts from a thousand use the larger unit. */
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
