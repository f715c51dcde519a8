import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import { parseAttributeValue, sortValue } from '../quantities/attribute-value.ts';
import { normBase } from './norm-base.ts';
import { shortSlug } from '../addresses/server-slugs.ts';
import { plainSlug } from '../addresses/slugs.ts';
import { cacheByText } from '../cache.ts';

/** Maximum number of rows per characteristic and family on a norm's page. The family's own pages have the rest. */
export const MAX_NORM_ROWS = 24;

/** A value that a product declares under a norm. */
export interface NormRow {
  gtin: string;
  name: string;
  slug: string;
  /** Declared text. */
  value: string;
}

/** A characteristic that a family's products declare under a norm. */
export interface NormGroup {
  name: string;
  /** Language of the records with this name. */
  language: string;
  /** Number of values, displayed or not. */
  count: number;
  /** Sorted by value. */
  rows: NormRow[];
}

/** Values that the products of a family declare under a norm. */
export interface GroupNorm {
  /** `EN 1928`. */
  name: string;
  /** Number of products. */
  count: number;
  groups: NormGroup[];
}

type DeclaringProduct = Pick<ProductListEntry, 'gtin' | 'name' | 'slug' | 'language' | 'attributes'>;
interface ParsedRow {
  row: NormRow;
  unit: string;
  /** Undefined for values without an order. */
  number: number | undefined;
}

/** Groups a family's declared values by the slug of the norm. @param entries Products in the assortment's order. */
export function groupByNorm(entries: readonly DeclaringProduct[], limit: number = Infinity): Map<string, GroupNorm> {
  const norms = new Map<string, { label: string; gtins: Set<string>; groups: Map<string, ValueGroup> }>();
  for (const { gtin, name, slug, language, attributes } of entries) {
    for (const attribute of attributes) {
      const id = normSlug(attribute.norm);
      if (id === '') continue;
      const found = norms.get(id) ?? { label: normBase(attribute.norm), gtins: new Set(), groups: new Map() };
      norms.set(id, found);
      const key = `${language} ${attribute.name}`;
      const group = found.groups.get(key) ?? { name: attribute.name, language, values: [] };
      found.groups.set(key, group);
      found.gtins.add(gtin);
      group.values.push(parseRow({ gtin, name, slug, value: attribute.value }, attribute.norm, language));
    }
  }
  return new Map(
    [...norms].map(([id, { label, gtins, groups }]) => [
      id,
      { name: label, count: gtins.size, groups: [...groups.values()].map((group) => sortGroup(group, limit)) },
    ]),
  );
}

interface ValueGroup {
  name: string;
  language: string;
  values: ParsedRow[];
}

function parseRow(row: NormRow, norm: string, language: string): ParsedRow {
  const parsed = parseAttributeValue(row.value, norm, language);
  return { row, number: sortValue(parsed), unit: 'unit' in parsed ? parsed.unit : '' };
}

/**
 * Sorts smaller values and better classes first, then texts. Values of different units aren't comparable, so the most
 * frequent unit comes first. Equal values stay in the assortment's order, so that all languages have the same order.
 */
function sortGroup({ name, language, values }: ValueGroup, limit: number): NormGroup {
  const units = new Map<string, number>();
  for (const { unit, number } of values) if (number !== undefined) units.set(unit, (units.get(unit) ?? 0) + 1);
  const ranks = new Map([...units].toSorted(([, a], [, b]) => b - a).map(([unit], rank) => [unit, rank]));
  const rankOf = ({ unit, number }: ParsedRow) => (number === undefined ? ranks.size : (ranks.get(unit) ?? 0));
  const sorted = values.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.number ?? 0) - (b.number ?? 0));
  return { name, language, count: values.length, rows: sorted.slice(0, limit).map(({ row }) => row) };
}

/**
 * Returns the URL segment of a norm: `DIN EN 12311-2:2013` -> `en-12311-2`. Empty if the text names no norm. Cached,
 * because products share few norms.
 */
export const normSlug = cacheByText((norm) => shortSlug(plainSlug(normBase(norm))));
