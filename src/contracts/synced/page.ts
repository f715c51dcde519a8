import { listPages, type Page } from '../core/index.ts';
import type { SyncedKind } from './synced-kind.ts';
import { filesOfArticle, projectArticle, type ArticleRecord } from './article.ts';

export interface PageRecord extends ArticleRecord {
  /** Id of the page above. */
  parent: number | undefined;
  menuOrder: number;
}

export const PAGE: SyncedKind<PageRecord> = {
  kind: 'page',
  noun: 'page',
  list: listPages,
  changes: 'by date',
  project: (page: Page, texts) => {
    const article = projectArticle(page, texts);
    return article && { ...article, parent: page.parent || undefined, menuOrder: page.menu_order };
  },
  references: filesOfArticle,
};
