import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ContentView } from './content-view.ts';

/** The class names that themes and clients style a row's element by: the same for every reader. */
export function classNames(row: ContentRow, view: ContentView): string[] {
  const format = row.format === '' ? 'standard' : row.format;
  const terms = view.terms.get(row.id) ?? [];
  const { hasFormats, isFile } = view.kind;
  return [
    `post-${row.id}`,
    row.type,
    `type-${row.type}`,
    `status-${row.status}`,
    ...(hasFormats ? [`format-${format}`] : []),
    ...(row.password !== '' ? ['post-password-required'] : []),
    ...(row.featuredMedia !== 0 && !isFile ? ['has-post-thumbnail'] : []),
    'hentry',
    ...view.kind.terms.flatMap(({ taxonomy, slugBase }) =>
      terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => `${slugBase}-${slug}`),
    ),
    ...(hasFormats && format !== 'standard' ? [`post_format-post-format-${format}`] : []),
  ];
}
