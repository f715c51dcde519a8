/** The one text of a decimal's value: `25.000` -> `25`, `007.50` -> `7.5`, `-0.0` -> `0`. Never through a float. */
export function normaliseDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text.trim());
  if (!match) return text;
  const [, sign, whole = '', fraction = ''] = match;
  let end = fraction.length;
  // An expression for zeros at the end takes hours over a number that is made to be long.
  while (fraction[end - 1] === '0') end -= 1;
  const digits = whole.replace(/^0+(?=\d)/, '') + (end > 0 ? `.${fraction.slice(0, end)}` : '');
  return digits === '0' ? '0' : `${sign}${digits}`;
}
