import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { readArticles } from './read-articles.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import { articleData, articleText } from './article-data.ts';

/** Pages of the publishing site by language, in their order. */
export function* projectPages(source: LoaderSource): Generator<ProjectedEntry> {
  const { pages, leftOut, translations, context } = readArticles(source);
  for (const message of leftOut) source.warn(message);
  for (const page of pages) {
    yield {
      id: page.entryId,
      data: {
        ...articleData(page, context),
        translations: translations.pages.get(page.record.id),
        slugPath: page.slugPath,
        ancestors: page.ancestors,
        order: page.record.menuOrder,
      },
      ...articleText(page, context),
    };
  }
}
