const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a timer can wait. */
const MAX_MS = 2 ** 31 - 1;

/** Reads `30s`, `5m`, `1.5h` as milliseconds; a number alone is seconds. Undefined for what is none, or too long. */
export function readInterval(text: string): number | undefined {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const intervalMs = Math.round(Number(amount) * (UNIT_MS[unit] ?? Number.NaN));
  return intervalMs > 0 && intervalMs <= MAX_MS ? intervalMs : undefined;
}
