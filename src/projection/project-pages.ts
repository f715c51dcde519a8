import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { readWritings } from './read-articles.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import { writingData } from './article-data.ts';

/** Pages of the publishing site in their languages and their order. */
export function* projectPages(source: LoaderSource): Generator<ProjectedEntry> {
  const { pages, translations, context } = readWritings(source);
  for (const page of pages) {
    yield {
      id: page.entryId,
      data: {
        ...writingData(page, context),
        translations: translations.pages.get(page.record.id),
        slugPath: page.slugPath,
        ancestors: page.ancestors,
        order: page.record.menuOrder,
      },
    };
  }
}
