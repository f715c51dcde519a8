import type { DemoContent } from './demo-content.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { alignIds } from './align-ids.ts';

/** Categories and tags, numbered in the order of their file. @returns ids by `category <slug>` and `post_tag <slug>` */
export async function seedTerms(
  tx: Transaction,
  { categories, tags }: Pick<DemoContent, 'categories' | 'tags'>,
): Promise<Map<string, number>> {
  const firstId = await alignIds(tx, term);
  const all = [
    ...categories.map(
      ({ slug, name, description, parent }) => ({ taxonomy: 'category', slug, name, description, parent }) as const,
    ),
    ...tags.map(
      ({ slug, name }) => ({ taxonomy: 'post_tag', slug, name, description: '', parent: undefined }) as const,
    ),
  ];
  const ids = new Map(all.map(({ taxonomy, slug }, i) => [termKey(taxonomy, slug), firstId + i]));
  const rows = all.map(({ parent, ...row }, i) => ({
    ...row,
    id: firstId + i,
    parentId: parent === undefined ? 0 : (ids.get(termKey('category', parent)) ?? 0),
  }));
  await tx.insert(term).values(rows);
  await alignIds(tx, term);
  return ids;
}

/** Slugs are unique within a taxonomy only. */
export function termKey(taxonomy: string, slug: string): string {
  return `${taxonomy} ${slug}`;
}
