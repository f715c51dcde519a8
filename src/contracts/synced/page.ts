import { z } from 'zod';
import { listPages } from '../core/routes.ts';
import type { SyncedKind } from './synced-kind.ts';
import {
  listArticleFiles,
  OPTIONAL_ARTICLE_FIELDS,
  pageRow,
  projectArticle,
  SWEPT_ARTICLE_FIELDS,
  type ArticleRecord,
} from './article.ts';

export interface PageRecord extends ArticleRecord {
  /** Id of the parent page. */
  parent: number | undefined;
  menuOrder: number;
}

export const PAGE: SyncedKind<PageRecord> = {
  kind: 'page',
  noun: 'page',
  list: { ...listPages, response: z.array(pageRow) },
  changes: 'by date',
  sweptFields: { ...SWEPT_ARTICLE_FIELDS, parent: 'parent', menuOrder: 'menu_order' },
  optionalFields: { ...OPTIONAL_ARTICLE_FIELDS, parent: 'parent', menu_order: 'menuOrder' },
  project: (page: z.output<typeof pageRow>, texts) => {
    const article = projectArticle(page, texts);
    return article && { ...article, parent: page.parent || undefined, menuOrder: page.menu_order ?? 0 };
  },
  references: listArticleFiles,
};
