import { cacheByText } from '../cache.ts';
import { normBase } from '../norms/norm-base.ts';

/** Parsed form of a declared value, for sorting, filtering and comparing. Pages always show the declared text. */
export type AttributeValue =
  | { kind: 'number'; value: number; unit: string }
  /** `0,25 – 25 m`, including both ends. */
  | { kind: 'range'; from: number; to: number; unit: string }
  /** `120 / 95 N/5 cm`: along and across. */
  | { kind: 'pair'; along: number; across: number; unit: string }
  /** `≥ 1500 m`. */
  | { kind: 'bound'; operator: '≥' | '>' | '≤' | '<'; value: number; unit: string }
  /** Class of a norm. A smaller rank is better. */
  | { kind: 'class'; name: string; rank: number }
  /** No performance declared: `NPD`, `NULL`, a dash. */
  | { kind: 'undeclared' }
  | { kind: 'text' };

interface ClassScale {
  pattern: RegExp;
  /** Best first. */
  classes: readonly string[];
}

/**
 * Classes by norm. The first group of a pattern is the class. EN 13501-1 and DIN 4102-1 can't be converted into each
 * other.
 */
const SCALES = new Map<string, ClassScale>(
  Object.entries({
    'EN 13501-1': {
      pattern: /^(A1|A2|B|C|D|E|F)(?:fl|L|ca)?(?:-s[123])?(?:,?\s*d[012])?$/,
      classes: ['A1', 'A2', 'B', 'C', 'D', 'E', 'F'],
    },
    'DIN 4102-1': { pattern: /^(A1|A2|B1|B2|B3)$/, classes: ['A1', 'A2', 'B1', 'B2', 'B3'] },
    'EN 1928': { pattern: /^(W[123])$/, classes: ['W1', 'W2', 'W3'] },
    'DIN 18542': { pattern: /^(MF1|BG1|BG2|BGR)$/, classes: ['MF1', 'BG1', 'BG2', 'BGR'] },
  }),
);

const UNDECLARED = /^(?:NPD|NULL|n\.?\s?d\.?|[-–—])$/i;
const NUMBER = String.raw`[+\-−]?\d[\d.,'’\u00a0\u202f]*`;
/** Approximate numbers, such as `ca. 180`, `approx. 35`, `env. 50`. They are treated as exact. */
const ABOUT = String.raw`(?:(?:ca|approx|env|circa|about|~|≈)\.?\s*)?`;
const UNIT = String.raw`\s*(\D.*)?`;
const BETWEEN = String.raw`\s*([^\d\s/–—…,.-][^–—…]*)?\s*(?:–|—|…|\.\.\.|-)\s*`;
const RANGE = new RegExp(`^${ABOUT}(${NUMBER})${BETWEEN}(${NUMBER})${UNIT}$`);
const PAIR = new RegExp(`^${ABOUT}(${NUMBER})\\s*/\\s*(${NUMBER})${UNIT}$`);
/** `≥ 5 °C`, and bounds in words: `ab +5 °C`, `from +5 °C`, `bis 20 mm`. */
const BOUNDS = (
  [
    ['≥', '(?:≥|>=)\\s*|(?:ab|from|at least|min\\.?|mindestens|à partir de|dès)\\s+'],
    ['≤', "(?:≤|<=)\\s*|(?:bis|up to|at most|max\\.?|höchstens|jusqu[’']à)\\s+"],
    ['>', '>\\s*'],
    ['<', '<\\s*'],
  ] as const
).map(([operator, start]) => ({ operator, pattern: new RegExp(`^(?:${start})(${NUMBER})${UNIT}$`, 'i') }));
const SINGLE = new RegExp(`^${ABOUT}(${NUMBER})${UNIT}$`, 'i');

/**
 * Parses a declared value. Separators depend on the language: `1.500` is 1500 in German and 1.5 in English.
 * @param language Language of the record.
 */
export function parseAttributeValue(declared: string, norm: string, language: string): AttributeValue {
  if (declared.length > MAX_CHARACTERS) return TEXT;
  const text = declared.trim().replaceAll(/[ \t\r\n]+/g, ' ');
  if (UNDECLARED.test(text)) return { kind: 'undeclared' };
  return (
    readClass(text, norm) ?? readRange(text, language) ?? readPair(text, language) ?? readOne(text, language) ?? TEXT
  );
}

const TEXT: AttributeValue = { kind: 'text' };

/** Longer texts aren't single values. */
const MAX_CHARACTERS = 200;

/** Returns the number to sort a value by, in ascending order. Undefined for values without an order. */
export function sortValue(value: AttributeValue): number | undefined {
  switch (value.kind) {
    case 'number':
    case 'bound':
      return value.value;
    case 'range':
      return value.from;
    case 'pair':
      return value.along;
    case 'class':
      return value.rank;
    default:
      return undefined;
  }
}

function readClass(text: string, norm: string): AttributeValue | undefined {
  const scale = SCALES.get(normBase(norm));
  const name = scale?.pattern.exec(text)?.[1];
  return scale && name !== undefined ? { kind: 'class', name, rank: scale.classes.indexOf(name) } : undefined;
}

function readRange(text: string, language: string): AttributeValue | undefined {
  const match = RANGE.exec(text);
  if (!match) return undefined;
  const [from, to] = [readNumber(match[1], language), readNumber(match[3], language)];
  const [first, unit] = [match[2]?.trim(), match[4]?.trim() ?? ''];
  // The unit may be repeated, as in `-30 °C … +80 °C`.
  if (from === undefined || to === undefined || from > to || (first && first !== unit)) return undefined;
  return { kind: 'range', from, to, unit };
}

function readPair(text: string, language: string): AttributeValue | undefined {
  const match = PAIR.exec(text);
  const [along, across] = [readNumber(match?.[1], language), readNumber(match?.[2], language)];
  if (along === undefined || across === undefined) return undefined;
  return { kind: 'pair', along, across, unit: match?.[3]?.trim() ?? '' };
}

function readOne(text: string, language: string): AttributeValue | undefined {
  for (const { operator, pattern } of BOUNDS) {
    const match = pattern.exec(text);
    const value = readNumber(match?.[1], language);
    if (value !== undefined) return { kind: 'bound', operator, value, unit: match?.[2]?.trim() ?? '' };
  }
  const single = SINGLE.exec(text);
  const value = readNumber(single?.[1], language);
  return value === undefined ? undefined : { kind: 'number', value, unit: single?.[2]?.trim() ?? '' };
}

/** Parses a number in the format of the language. Undefined if it isn't one. */
function readNumber(digits: string | undefined, language: string): number | undefined {
  if (digits === undefined) return undefined;
  const { decimal, group, grouped } = separatorsOf(language);
  const bare = digits.replace('−', '-').replaceAll(/['’\u00a0\u202f]/g, '');
  const plain = (grouped.test(bare) ? bare.replaceAll(group, '') : bare).replace(decimal, '.');
  return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) || 0 : undefined;
}

/** Returns the decimal and thousands separators of a language, and the pattern of a number with the latter. */
const separatorsOf = cacheByText((language) => {
  const decimal = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  const group = decimal === ',' ? '.' : ',';
  const grouped = new RegExp(String.raw`^[+-]?\d{1,3}(?:[${group}]\d{3})+(?=\D|$)`);
  return { decimal: decimal === ',' ? ',' : '.', group, grouped };
});
