import { foldNumber } from '#catalogue/directory/fold-number.ts';
import { extractDigits, parseGtin, type GtinProblem } from '#contracts/gtin.ts';

/** A search text parsed as a number. */
export interface NumberQuery {
  /** The number with separators removed. */
  folded: string;
  /** GTIN of a trade unit, if it is one. */
  gtin13: string | undefined;
  /** Digits to search within GTINs. */
  digits: string | undefined;
  /** Problem to report: a number as long as a GTIN but invalid. */
  problem: Extract<GtinProblem, 'check-digit' | 'packaging-level'> | undefined;
}

/** Fewer digits match too many numbers. */
const MIN_DIGITS = 3;
/** More letters are a word. */
const MAX_LETTERS = 6;

/** @returns Undefined if it is neither a number nor a part of one. */
export function numberQuery(text: string): NumberQuery | undefined {
  const digits = extractDigits(text);
  const isAllDigits = /^\d+$/.test(digits);
  const folded = isAllDigits ? digits : foldNumber(text);
  const letters = folded.replaceAll(/\d/g, '').length;
  if (folded.length - letters < MIN_DIGITS || letters > MAX_LETTERS) return undefined;
  const reading = parseGtin(text);
  // The GTIN of a carton contains that of the product, between its indicator and check digit.
  const isCarton = !reading.ok && reading.reason === 'packaging-level';
  return {
    folded,
    gtin13: reading.ok ? reading.gtin13 : undefined,
    digits: isCarton ? digits.slice(1, -1) : isAllDigits ? digits : undefined,
    problem: reading.ok ? undefined : problemToReport(reading.reason, digits),
  };
}

/** Shorter numbers are more likely parts of a GTIN. */
const MIN_WHOLE_GTIN = 13;

function problemToReport(reason: GtinProblem, digits: string): NumberQuery['problem'] {
  if (reason === 'packaging-level') return reason;
  return reason === 'check-digit' && digits.length >= MIN_WHOLE_GTIN ? reason : undefined;
}
