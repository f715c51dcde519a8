const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Maximum delay of a timer. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Parses `30s`, `5m`, `1.5h` to milliseconds; a number alone means seconds. Returns undefined if invalid or too long.
 */
export function parseInterval(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const intervalMs = Math.round(Number(amount) * (UNIT_MS[unit] ?? Number.NaN));
  return intervalMs > 0 && intervalMs <= MAX_MS ? intervalMs : undefined;
}
