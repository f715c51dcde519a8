/**
 * Rules of GTINs (GS1 General Specifications, section 7.9). A GTIN is a string, because its leading zeros count. The
 * interface identifies products by GTIN-13; GTIN-14 is the canonical form for comparisons.
 */

export type GtinParseResult =
  { ok: true; gtin13: string; gtin14: string } | { ok: false; reason: GtinProblem; problem: string; hint: string };

/** Reason why a text is not the GTIN of a trade unit. */
export type GtinProblem = 'characters' | 'length' | 'check-digit' | 'packaging-level';

/** Computes the check digit of a GTIN: weights 3, 1, 3, … from the right, up to the next multiple of ten. */
export function gtinCheckDigit(digitsWithoutCheck: string): number {
  const sum = [...digitsWithoutCheck]
    .toReversed()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

/** True for exactly 13 digits with a valid check digit. */
export function isGtin13(text: string): boolean {
  return /^\d{13}$/.test(text) && gtinCheckDigit(text.slice(0, 12)) === Number(text[12]);
}

/** Pads a GTIN-13 to 14 digits, as required by GS1 Digital Link and trade formats. */
export function toGtin14(gtin13: string): string {
  return gtin13.padStart(14, '0');
}

/**
 * Parses a GTIN in common notations: 8, 12, 13 or 14 digits with spaces, hyphens or dots, full-width digits, a GS1
 * element string `(01)…` or a Digital Link `…/01/<gtin>`. A GTIN-14 whose first digit isn't 0 denotes another packaging
 * level and has no 13-digit form.
 */
export function parseGtin(input: string): GtinParseResult {
  const digits = extractDigits(input);
  if (!/^\d+$/.test(digits))
    return reject(
      'characters',
      `"${input}" is not a GTIN: it contains characters other than digits`,
      'Write the 13 digits printed under the barcode.',
    );
  if (![8, 12, 13, 14].includes(digits.length)) {
    return reject(
      'length',
      `"${input}" has ${digits.length} digits, but a GTIN has 8, 12, 13 or 14`,
      'Check for lost leading zeros: spreadsheets drop them from numbers.',
    );
  }
  const expected = gtinCheckDigit(digits.slice(0, -1));
  if (expected !== Number(digits.at(-1))) {
    return reject(
      'check-digit',
      `"${input}" has the check digit ${digits.at(-1)}, but the other digits require ${expected}`,
      `Compare it with the label; if only the last digit is wrong, it is ${digits.slice(0, -1)}${expected}.`,
    );
  }
  const gtin14 = toGtin14(digits);
  if (gtin14[0] !== '0') {
    return reject(
      'packaging-level',
      `"${input}" is a GTIN-14 of another packaging level (indicator ${gtin14[0]})`,
      'Use the GTIN-13 of the trade unit itself.',
    );
  }
  return { ok: true, gtin13: gtin14.slice(1), gtin14 };
}

export type GtinClass = 'regular' | 'restricted' | 'coupon' | 'demo' | 'isbn';

/** Returns the usage class of a GTIN-13 by its prefix. The prefix is not the country of origin. */
export function classifyGtin(gtin13: string): GtinClass {
  if (/^(02|04|2)/.test(gtin13)) return 'restricted';
  if (/^(05|98[1-4]|99)/.test(gtin13)) return 'coupon';
  if (gtin13.startsWith('952')) return 'demo';
  if (/^97[789]/.test(gtin13)) return 'isbn';
  return 'regular';
}

/**
 * Extracts the digits from typed, pasted or scanned input: removes separators, and unwraps Digital Links, element
 * strings and scanner output (`]C1`, `]d2` or `]Q3`, then `01` and 14 digits).
 */
export function extractDigits(input: string): string {
  // Normalizes full-width digits, brackets and hyphens.
  const text = input.trim().normalize('NFKC');
  const digitalLink = /\/01\/(\d{8,14})(?:[/?#]|$)/.exec(text)?.[1];
  if (digitalLink) return digitalLink;
  const element = /^(?:\(01\)|\](?:C1|d2|Q3)01)\s*(\d{14})/.exec(text)?.[1];
  return (element ?? text).replace(/[\s.\-‐‑–]/g, '');
}

function reject(reason: GtinProblem, problem: string, hint: string): GtinParseResult {
  return { ok: false, reason, problem, hint };
}
