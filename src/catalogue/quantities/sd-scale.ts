import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import type { GroupNorm } from '../norms/norm-groups.ts';
import { normBase } from '../norms/norm-base.ts';
import { parseAttributeValue } from './attribute-value.ts';

/** Ends of the scale in metres: from a vapour-open membrane to a vapour barrier. */
export const SD_SCALE = [0.01, 1500] as const;

/** Norms under which products declare an sd value, by slug. */
const SD_NORMS = { 'en-iso-12572': 'EN ISO 12572', 'en-1931': 'EN 1931' };

/** A declared sd value in metres, cut at the ends of the scale. Both ends are the same for a single value. */
export interface SdValue {
  from: number;
  to: number;
  /** Declared text. */
  text: string;
}

/** Returns the declared sd value of a product; a range takes precedence over a single value. */
export function productSdValue({
  attributes,
  language,
}: Pick<ProductListEntry, 'attributes' | 'language'>): SdValue | undefined {
  const norms = new Set(Object.values(SD_NORMS));
  const found = attributes
    .filter(({ norm }) => norms.has(normBase(norm)))
    .flatMap(({ value, norm }) => parseSdValue(value, norm, language) ?? []);
  return found.find(isRange) ?? found[0];
}

/**
 * Returns the sd values of a family by GTIN. Empty if the family declares more than the page of a norm shows, because
 * the values there are only the smallest ones.
 * @param normInFamily Returns the values that the family declares under a norm.
 */
export function familySdValues(normInFamily: (slug: string) => GroupNorm | undefined): [gtin: string, SdValue][] {
  const values = new Map<string, SdValue>();
  for (const [slug, norm] of Object.entries(SD_NORMS))
    for (const { language, count, rows } of normInFamily(slug)?.groups ?? []) {
      if (count > rows.length) return [];
      for (const { gtin, value } of rows) {
        const parsed = parseSdValue(value, norm, language);
        if (parsed && (isRange(parsed) || !values.has(gtin))) values.set(gtin, parsed);
      }
    }
  return [...values];
}

/** Returns the position of an sd value on the logarithmic scale, in percent. */
export function sdPosition(metres: number): number {
  const [start, end] = SD_SCALE;
  return Math.round((Math.log(metres / start) / Math.log(end / start)) * 1000) / 10;
}

const isRange = ({ from, to }: SdValue): boolean => from < to;

function parseSdValue(text: string, norm: string, language: string): SdValue | undefined {
  const value = parseAttributeValue(text, norm, language);
  if (!('unit' in value) || value.unit !== 'm' || value.kind === 'pair') return undefined;
  const [start, end] = SD_SCALE;
  const clamp = (metres: number): number => Math.min(Math.max(metres, start), end);
  if (value.kind === 'range') return { from: clamp(value.from), to: clamp(value.to), text };
  const at = clamp(value.value);
  if (value.kind === 'number') return { from: at, to: at, text };
  return /[≥>]/.test(value.operator) ? { from: at, to: end, text } : { from: start, to: at, text };
}
