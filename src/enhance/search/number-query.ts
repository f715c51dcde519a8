import { foldNumber } from '#catalogue/directory/fold-number.ts';
import { bareDigits, readGtin, type GtinRefusal } from '#contracts/gtin.ts';

/** What was typed, read as a number. */
export interface NumberQuery {
  /** Without separators. */
  folded: string;
  /** When it is the GTIN of a trade unit. */
  gtin13: string | undefined;
  /** Any digits that a GTIN may have somewhere. */
  digits: string | undefined;
  /** What is worth saying of it: a number of a GTIN's length that is none. */
  problem: Extract<GtinRefusal, 'check-digit' | 'packaging-level'> | undefined;
}

/** Fewer digits are in too many numbers. */
const MIN_DIGITS = 3;
/** More letters make a word. */
const MAX_LETTERS = 6;

/** @returns Undefined when it is no number, nor a part of one. */
export function numberQuery(text: string): NumberQuery | undefined {
  const digits = bareDigits(text);
  const isAllDigits = /^\d+$/.test(digits);
  const folded = isAllDigits ? digits : foldNumber(text);
  const letters = folded.replaceAll(/\d/g, '').length;
  if (folded.length - letters < MIN_DIGITS || letters > MAX_LETTERS) return undefined;
  const reading = readGtin(text);
  // A carton's number has that of the product in it, between its indicator and its own check digit.
  const isCarton = !reading.ok && reading.reason === 'packaging-level';
  return {
    folded,
    gtin13: reading.ok ? reading.gtin13 : undefined,
    digits: isCarton ? digits.slice(1, -1) : isAllDigits ? digits : undefined,
    problem: reading.ok ? undefined : worthSaying(reading.reason, digits),
  };
}

/** Shorter numbers are rather parts of one. */
const MIN_WHOLE_GTIN = 13;

function worthSaying(reason: GtinRefusal, digits: string): NumberQuery['problem'] {
  if (reason === 'packaging-level') return reason;
  return reason === 'check-digit' && digits.length >= MIN_WHOLE_GTIN ? reason : undefined;
}
