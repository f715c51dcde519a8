import { listCategories, listTags, type Category, type Tag } from '../core/index.ts';
import type { SyncedKind, TextTools } from './synced-kind.ts';

export interface TermRecord {
  id: number;
  taxonomy: 'category' | 'tag';
  slug: string;
  /** Permanent address at the publishing site; unknown in a snapshot of an earlier version. */
  link?: string;
  /** Plain text. */
  name: string;
  description: string;
  /** Id of the category above. */
  parent: number | undefined;
}

export const CATEGORY: SyncedKind<TermRecord> = {
  kind: 'category',
  noun: 'category',
  list: listCategories,
  changes: 'by digest',
  project: projectTerm,
};

export const TAG: SyncedKind<TermRecord> = {
  kind: 'tag',
  noun: 'tag',
  list: listTags,
  changes: 'by digest',
  project: projectTerm,
};

function projectTerm(row: Category | Tag, texts: TextTools): TermRecord {
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
