import { baseLanguage } from '#contracts/base-language.ts';
import { divideDecimals } from './decimal-arithmetic.ts';
import type { Measure } from './measure.ts';

/** Exact conversion factors (international yard and pound agreement, 1959). */
const UNITS: Record<string, { factor: string; unit: string }> = {
  mm: { factor: '25.4', unit: 'in' },
  m: { factor: '0.3048', unit: 'ft' },
  'm²': { factor: '0.09290304', unit: 'sq ft' },
  kg: { factor: '0.45359237', unit: 'lb' },
  g: { factor: '28.349523125', unit: 'oz' },
};

/**
 * Converts a dimension to inches, feet or pounds, rounded to hundredths. Use it as additional information, never for
 * declared performance. Undefined if the result rounds to zero.
 */
export function imperialMeasure({
  text,
  unit,
}: Pick<Measure, 'text' | 'unit'>): { text: string; unit: string } | undefined {
  const imperial = UNITS[unit];
  const converted = imperial && divideDecimals(text, imperial.factor, 2);
  return !imperial || !converted || Number(converted) === 0 ? undefined : { text: converted, unit: imperial.unit };
}

/** True if imperial measures are shown in a language. @param languages Codes with or without a region. */
export function isImperial(languages: readonly string[], language: string): boolean {
  return languages.includes(language) || languages.includes(baseLanguage(language));
}
