/** Golden section: steps of this share of a list come near to no earlier place for as long as there are others. */
const STEP_SHARE = (Math.sqrt(5) - 1) / 2;

/** The items in another order, always the same, in which those that follow each other stood far apart. */
export function mixOrder<T>(items: readonly T[]): T[] {
  let step = Math.max(1, Math.round(items.length * STEP_SHARE));
  while (divisor(step, items.length) > 1) step += 1;
  return items.map((item, i) => items[(i * step) % items.length] ?? item);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
