/**
 * GTIN rules (GS1 General Specifications, section 7.9): a GTIN is a string, never a number, because its
 * leading zeros count. The interface identifies products by GTIN-13; the canonical form for comparing is GTIN-14.
 */

export type GtinReading =
  { ok: true; gtin13: string; gtin14: string } | { ok: false; reason: GtinRefusal; problem: string; hint: string };

/** Why something is no GTIN of a trade unit. */
export type GtinRefusal = 'characters' | 'length' | 'check-digit' | 'packaging-level';

/** The check digit of a GTIN without it: weights 3, 1, 3, … from the right, up to the next ten. */
export function gtinCheckDigit(digitsWithoutCheck: string): number {
  const sum = [...digitsWithoutCheck]
    .toReversed()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

/** True for exactly 13 digits with the right check digit. */
export function isGtin13(text: string): boolean {
  return /^\d{13}$/.test(text) && gtinCheckDigit(text.slice(0, 12)) === Number(text[12]);
}

/** The 14-digit form of a GTIN-13, as GS1 Digital Link and trade formats want it. */
export function toGtin14(gtin13: string): string {
  return gtin13.padStart(14, '0');
}

/**
 * Reads a GTIN as people and files write it: 8, 12, 13 or 14 digits with spaces, hyphens or dots, full-width
 * digits, a GS1 element string `(01)…` or a pasted Digital Link `…/01/<gtin>`.
 * A GTIN-14 whose first digit isn't 0 is another packaging level and has no 13-digit form.
 */
export function readGtin(input: string): GtinReading {
  const digits = bareDigits(input);
  if (!/^\d+$/.test(digits))
    return refuse(
      'characters',
      `"${input}" is not a GTIN: it holds something other than digits`,
      'Write the 13 digits printed under the barcode.',
    );
  if (![8, 12, 13, 14].includes(digits.length)) {
    return refuse(
      'length',
      `"${input}" has ${digits.length} digits, a GTIN has 8, 12, 13 or 14`,
      'Check for lost leading zeros: spreadsheets drop them from numbers.',
    );
  }
  const expected = gtinCheckDigit(digits.slice(0, -1));
  if (expected !== Number(digits.at(-1))) {
    return refuse(
      'check-digit',
      `"${input}" has the check digit ${digits.at(-1)}, its other digits ask for ${expected}`,
      `Compare it with the label; if only the last digit is wrong, it is ${digits.slice(0, -1)}${expected}.`,
    );
  }
  const gtin14 = toGtin14(digits);
  if (gtin14[0] !== '0') {
    return refuse(
      'packaging-level',
      `"${input}" is a GTIN-14 of another packaging level (indicator ${gtin14[0]})`,
      'Use the GTIN-13 of the trade unit itself.',
    );
  }
  return { ok: true, gtin13: gtin14.slice(1), gtin14 };
}

export type GtinClass = 'regular' | 'restricted' | 'coupon' | 'demo' | 'isbn';

/** What the prefix of a GTIN-13 says about where the number may be used. The prefix is no country of origin. */
export function classifyGtin(gtin13: string): GtinClass {
  if (/^(02|04|2)/.test(gtin13)) return 'restricted';
  if (/^(05|98[1-4]|99)/.test(gtin13)) return 'coupon';
  if (gtin13.startsWith('952')) return 'demo';
  if (/^97[789]/.test(gtin13)) return 'isbn';
  return 'regular';
}

/**
 * The digits that somebody meant by what they typed, pasted or scanned: without separators, and out of a Digital Link,
 * an element string, or what a scanner makes of one (`]C1`, `]d2` or `]Q3`, then `01` and 14 digits).
 */
export function bareDigits(input: string): string {
  // Full-width digits, brackets and hyphens become the usual ones.
  const text = input.trim().normalize('NFKC');
  const digitalLink = /\/01\/(\d{8,14})(?:[/?#]|$)/.exec(text)?.[1];
  if (digitalLink) return digitalLink;
  const element = /^(?:\(01\)|\](?:C1|d2|Q3)01)\s*(\d{14})/.exec(text)?.[1];
  return (element ?? text).replace(/[\s.\-‐‑–]/g, '');
}

function refuse(reason: GtinRefusal, problem: string, hint: string): GtinReading {
  return { ok: false, reason, problem, hint };
}
