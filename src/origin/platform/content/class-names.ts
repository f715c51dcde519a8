import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** The class names that themes and clients style a row's element by: the same for every reader. */
export function classNames(row: ContentRow, view: ContentView): string[] {
  const isPost = row.type === 'post';
  const format = row.format === '' ? 'standard' : row.format;
  const terms = view.terms.get(row.id) ?? [];
  const prefixed = (taxonomy: string, prefix: string) =>
    terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => `${prefix}-${slug}`);
  return [
    `post-${row.id}`,
    row.type,
    `type-${row.type}`,
    `status-${row.status}`,
    ...(isPost ? [`format-${format}`] : []),
    ...(row.password !== '' ? ['post-password-required'] : []),
    ...(row.featuredMedia !== 0 && row.type !== 'attachment' ? ['has-post-thumbnail'] : []),
    'hentry',
    ...prefixed('category', 'category'),
    ...prefixed('post_tag', 'tag'),
    ...(isPost && format !== 'standard' ? [`post_format-post-format-${format}`] : []),
  ];
}
