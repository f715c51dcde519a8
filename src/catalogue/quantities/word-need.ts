import type { UnitWord } from '#contracts/unit-word.ts';
import { countUnits, type CountFormats } from './count-units.ts';
import { multiplyDecimals, shiftDecimal } from './decimal-arithmetic.ts';
import type { MaterialNeed } from './material-need.ts';

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

const LARGER = { ml: 'l', g: 'kg' } as const;

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
