import { imageVariants } from '#catalogue/pictures/image-variants.ts';
import { pageEntry, postEntry, type PageEntry, type PostEntry } from '#model/entries.ts';
import { projectPages } from '#projection/project-pages.ts';
import { projectPosts } from '#projection/project-posts.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { htmlText } from '#contracts/html/index.ts';
import type { SearchRecord } from './search-record.ts';

/** Posts and pages of the publishing site in all languages, by the language they are in. */
export function articleRecords(source: LoaderSource): Map<string, SearchRecord[]> {
  const silent = { ...source, warn: () => undefined };
  const posts = [...projectPosts(silent)].map(({ data }) => postEntry.parse(data));
  const pages = [...projectPages(silent)].map(({ data }) => pageEntry.parse(data));
  const found = [
    ...posts.map((post) => ({
      language: post.language,
      record: toRecord(
        'post',
        post,
        [...post.categories, ...post.tags].map(({ name }) => name),
      ),
    })),
    ...pages.map((page) => ({ language: page.language, record: toRecord('page', page, []) })),
  ];
  const groups = Map.groupBy(found, ({ language }) => language);
  return new Map([...groups].map(([language, group]) => [language, group.map(({ record }) => record)]));
}

function toRecord(kind: 'post' | 'page', article: PostEntry | PageEntry, terms: readonly string[]): SearchRecord {
  const { title, excerpt, featured, html, path } = article;
  const image = featured && imageVariants({ ...featured, role: 'figure' }).find(({ format }) => format === 'webp');
  return {
    kind,
    path,
    meta: {
      title,
      ...(excerpt && { text: excerpt }),
      // Posts stand with their pictures in lists; pages don't.
      ...(kind === 'post' && image && { image: image.path }),
    },
    text: [title, ...terms, htmlText(html)].join('. '),
  };
}
