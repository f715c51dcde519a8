import { z } from 'zod';
import { category, tag } from '../core/term.ts';
import { listCategories, listTags } from '../core/routes.ts';
import type { SyncedKind, TextConverters } from './synced-kind.ts';

export interface TermRecord {
  id: number;
  taxonomy: 'category' | 'tag';
  slug: string;
  /** Permanent URL at the publishing site; missing in snapshots of earlier versions. */
  link?: string;
  /** Plain text. */
  name: string;
  description: string;
  /** Id of the parent category. */
  parent: number | undefined;
}

const FIELDS = { id: true, taxonomy: true, slug: true, link: true, name: true } as const;
const tagRow = tag.pick(FIELDS).extend({ description: tag.shape.description.nullish() });
const categoryRow = category.pick(FIELDS).extend({
  description: category.shape.description.nullish(),
  parent: category.shape.parent.nullish(),
});

export const CATEGORY: SyncedKind<TermRecord> = {
  kind: 'category',
  noun: 'category',
  list: { ...listCategories, response: z.array(categoryRow) },
  changes: 'by digest',
  optionalFields: { description: 'description', parent: 'parent' },
  project: projectTerm,
};

export const TAG: SyncedKind<TermRecord> = {
  kind: 'tag',
  noun: 'tag',
  list: { ...listTags, response: z.array(tagRow) },
  changes: 'by digest',
  optionalFields: { description: 'description' },
  project: projectTerm,
};

function projectTerm(row: z.output<typeof categoryRow> | z.output<typeof tagRow>, texts: TextConverters): TermRecord {
  return {
    id: row.id,
    taxonomy: row.taxonomy === 'category' ? 'category' : 'tag',
    slug: row.slug,
    link: row.link,
    name: texts.plain(row.name),
    description: texts.plain(row.description ?? ''),
    parent: ('parent' in row && row.parent) || undefined,
  };
}
