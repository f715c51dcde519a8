/** The one text of a decimal's value: `25.000` -> `25`, `007.50` -> `7.5`, `-0.0` -> `0`. Never through a float. */
export function normaliseDecimal(text: string): string {
  const match = /^(-?)0*(\d+?)(?:\.(\d*?)0*)?$/.exec(text.trim());
  if (!match) return text;
  const [, sign, whole = '0', fraction] = match;
  const digits = fraction ? `${whole}.${fraction}` : whole;
  return digits === '0' ? '0' : `${sign}${digits}`;
}
