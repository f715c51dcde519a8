import { matchesHighlight, type Highlight } from '../products/key-values.ts';
import type { Characteristic } from './characteristic.ts';

/** Maximum number of properties that the filter and the comparison show first. */
const MAX_HIGHLIGHTED = 3;

/**
 * Returns the IDs of the characteristics that match each highlight of a family. Highlights without a match are omitted.
 */
export function highlightedColumns(
  characteristics: readonly Pick<Characteristic, 'id' | 'key' | 'norm' | 'source'>[],
  highlights: readonly Highlight[],
): string[][] {
  const declared = characteristics.filter(({ source }) => source === 'attribute' || source === 'fire');
  const used = new Set<string>();
  const columns: string[][] = [];
  for (const highlight of highlights) {
    if (columns.length === MAX_HIGHLIGHTED) break;
    const ids = highlight.flatMap((name) =>
      declared.filter(({ norm = '', key = '' }) => matchesHighlight({ norm, key }, name)).map(({ id }) => id),
    );
    const found = [...new Set(ids)].filter((id) => !used.has(id));
    for (const id of found) used.add(id);
    if (found.length > 0) columns.push(found);
  }
  return columns;
}
