import { baseLanguage } from '#contracts/base-language.ts';
import { divideDecimals } from './decimal-arithmetic.ts';
import type { Measure } from './measure-of.ts';

/** What one of the other unit is, exactly (international yard and pound agreement, 1959). */
const UNITS: Record<string, { of: string; unit: string }> = {
  mm: { of: '25.4', unit: 'in' },
  m: { of: '0.3048', unit: 'ft' },
  'm²': { of: '0.09290304', unit: 'sq ft' },
  kg: { of: '0.45359237', unit: 'lb' },
  g: { of: '28.349523125', unit: 'oz' },
};

/**
 * The same dimension in inches, feet and pounds, rounded to hundredths: for information beside the stated one, and
 * never for declared performance. Undefined where it would read zero.
 */
export function imperialMeasure({
  text,
  unit,
}: Pick<Measure, 'text' | 'unit'>): { text: string; unit: string } | undefined {
  const other = UNITS[unit];
  const converted = other && divideDecimals(text, other.of, 2);
  return !other || !converted || Number(converted) === 0 ? undefined : { text: converted, unit: other.unit };
}

/** Whether a language is among those that are given such measures. @param languages With or without a region. */
export function isImperial(languages: readonly string[], language: string): boolean {
  return languages.includes(language) || languages.includes(baseLanguage(language));
}
