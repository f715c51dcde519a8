/** Exact arithmetic on decimal texts such as `24.90`, because floats are unsuitable for money. */

interface Scaled {
  digits: bigint;
  /** Number of decimals. */
  scale: number;
}

/** @returns `left * right` with `places` decimals, half away from zero. */
export function multiplyDecimals(left: string, right: string, places: number): string {
  return divideProducts([left, right], [], places, nearest);
}

/** @returns `left / right` with `places` decimals, half away from zero; undefined when `right` is zero. */
export function divideDecimals(left: string, right: string, places: number): string | undefined {
  return Number(right) === 0 ? undefined : divideProducts([left], [right], places, nearest);
}

/** `1.9` -> `1.90`, `0.005` -> `0.01`. */
export function roundDecimal(text: string, places: number): string {
  return multiplyDecimals(text, '1', places);
}

/** Moves the decimal point to the right and preserves all digits: `0.0575` by 3 -> `57.5`. */
export function shiftDecimal(text: string, places: number): string {
  const { digits, scale } = parse(text);
  const remainingPlaces = Math.max(0, scale - places);
  return write(digits * 10n ** BigInt(Math.max(0, places - scale)), remainingPlaces);
}

function parse(text: string): Scaled {
  const [whole = '0', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function write(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(absolute(digits)).padStart(places + 1, '0');
  const point = text.length - places;
  const fraction = text.slice(point);
  return fraction === '' ? sign + text : `${sign}${text.slice(0, point)}.${fraction}`;
}

/**
 * Divides the product of some decimals by that of others and rounds up to an integer. Negative numbers aren't
 * supported. @throws RangeError for a zero divisor
 */
export function quotientUp(numerators: readonly string[], denominators: readonly string[]): number {
  return Number(divideProducts(numerators, denominators, 0, (top, bottom) => (top + bottom - 1n) / bottom));
}

/** Divides the product of some decimals by that of others and truncates to `places` decimals. */
export function quotientDown(numerators: readonly string[], denominators: readonly string[], places: number): string {
  return divideProducts(numerators, denominators, places, (top, bottom) => top / bottom);
}

function divideProducts(
  numerators: readonly string[],
  denominators: readonly string[],
  places: number,
  round: (top: bigint, bottom: bigint) => bigint,
): string {
  const [above, below] = [product(numerators), product(denominators)];
  const top = above.digits * 10n ** BigInt(below.scale + places);
  return write(round(top, below.digits * 10n ** BigInt(above.scale)), places);
}

function nearest(top: bigint, bottom: bigint): bigint {
  const [above, below] = [absolute(top), absolute(bottom)];
  const quotient = (above * 2n + below) / (below * 2n);
  return top < 0n !== bottom < 0n ? -quotient : quotient;
}

function product(factors: readonly string[]): Scaled {
  const one: Scaled = { digits: 1n, scale: 0 };
  return factors
    .map(parse)
    .reduce((left, right) => ({ digits: left.digits * right.digits, scale: left.scale + right.scale }), one);
}
