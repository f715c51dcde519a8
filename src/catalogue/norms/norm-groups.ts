import type { ListedEntry } from '#model/entries.ts';
import { attributeValue, sortNumber } from '../quantities/attribute-value.ts';
import { normBase } from './norm-base.ts';
import { normSlug } from './norm-slug.ts';

/** Rows of a characteristic that the page of a norm shows of a family; the rest stands on the family's own pages. */
export const NORM_HEAD = 24;

/** What a product declares under a norm. */
export interface NormRow {
  gtin: string;
  name: string;
  slug: string;
  /** As declared. */
  value: string;
}

/** A characteristic that products of a family declare under a norm. */
export interface NormGroup {
  name: string;
  /** Of the records that name it so. */
  language: string;
  /** How many values there are, shown or not. */
  count: number;
  /** By their values. */
  rows: NormRow[];
}

/** What the products of a family declare under a norm. */
export interface NormInGroup {
  /** `EN 1928`. */
  name: string;
  /** How many products. */
  count: number;
  groups: NormGroup[];
}

type Declared = Pick<ListedEntry, 'gtin' | 'name' | 'slug' | 'language' | 'attributes'>;
interface Valued {
  row: NormRow;
  unit: string;
  /** Undefined for what has no place in an order. */
  number: number | undefined;
}

/** What a family declares, by the slugs of the norms. @param entries In the assortment's order. */
export function normGroups(entries: readonly Declared[], limit: number = Infinity): Map<string, NormInGroup> {
  const norms = new Map<string, { label: string; gtins: Set<string>; groups: Map<string, Collected> }>();
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
      group.values.push(valueOf({ gtin, name, slug, value: attribute.value }, attribute.norm, language));
    }
  }
  return new Map(
    [...norms].map(([id, { label, gtins, groups }]) => [
      id,
      { name: label, count: gtins.size, groups: [...groups.values()].map((group) => sortGroup(group, limit)) },
    ]),
  );
}

interface Collected {
  name: string;
  language: string;
  values: Valued[];
}

function valueOf(row: NormRow, norm: string, language: string): Valued {
  const parsed = attributeValue(row.value, norm, language);
  return { row, number: sortNumber(parsed), unit: 'unit' in parsed ? parsed.unit : '' };
}

/**
 * The smaller value or the better class first, then texts. Values of different units don't compare: the most frequent
 * unit goes first. What is equal keeps the assortment's order, and so stands alike in all languages.
 */
function sortGroup({ name, language, values }: Collected, limit: number): NormGroup {
  const units = new Map<string, number>();
  for (const { unit, number } of values) if (number !== undefined) units.set(unit, (units.get(unit) ?? 0) + 1);
  const ranks = new Map([...units].toSorted(([, a], [, b]) => b - a).map(([unit], rank) => [unit, rank]));
  const rankOf = ({ unit, number }: Valued) => (number === undefined ? ranks.size : (ranks.get(unit) ?? 0));
  const sorted = values.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.number ?? 0) - (b.number ?? 0));
  return { name, language, count: values.length, rows: sorted.slice(0, limit).map(({ row }) => row) };
}
