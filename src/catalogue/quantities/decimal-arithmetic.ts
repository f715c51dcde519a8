/** Exact arithmetic on decimal texts such as `24.90`, because floats are unsuitable for money. */

interface Scaled {
  digits: bigint;
  /** Number of decimals. */
  scale: number;
}

/** @returns `left * right` with `places` decimals, half away from zero. */
export function multiplyDecimals(left: string, right: string, places: number): string {
  const [a, b] = [parse(left), parse(right)];
  return write(rescale(a.digits * b.digits, 10n ** BigInt(a.scale + b.scale), places), places);
}

/** @returns `left / right` with `places` decimals, half away from zero; undefined when `right` is zero. */
export function divideDecimals(left: string, right: string, places: number): string | undefined {
  const [a, b] = [parse(left), parse(right)];
  if (b.digits === 0n) return undefined;
  return write(rescale(a.digits * 10n ** BigInt(b.scale), b.digits * 10n ** BigInt(a.scale), places), places);
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

function rescale(numerator: bigint, denominator: bigint, places: number): bigint {
  const scaled = numerator * 10n ** BigInt(places);
  const negative = scaled < 0n !== denominator < 0n;
  const [top, bottom] = [absolute(scaled), absolute(denominator)];
  const quotient = (top * 2n + bottom) / (bottom * 2n);
  return negative ? -quotient : quotient;
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
 * Divides the product of some decimals by that of others and rounds up to an integer. @throws RangeError for a zero
 * divisor
 */
export function quotientUp(numerators: readonly string[], denominators: readonly string[]): number {
  const { top, bottom } = fraction(numerators, denominators);
  return Number((top + bottom - 1n) / bottom);
}

/** Divides the product of some decimals by that of others and truncates to `places` decimals. */
export function quotientDown(numerators: readonly string[], denominators: readonly string[], places: number): string {
  const { top, bottom } = fraction(numerators, denominators);
  return write((top * 10n ** BigInt(places)) / bottom, places);
}

/** Converts both products to integers of the same scale. Negative numbers aren't supported. */
function fraction(numerators: readonly string[], denominators: readonly string[]): { top: bigint; bottom: bigint } {
  const [above, below] = [product(numerators), product(denominators)];
  return {
    top: above.digits * 10n ** BigInt(below.scale),
    bottom: below.digits * 10n ** BigInt(above.scale),
  };
}

function product(factors: readonly string[]): Scaled {
  return factors
    .map(parse)
    .reduce((left, right) => ({ digits: left.digits * right.digits, scale: left.scale + right.scale }));
}
