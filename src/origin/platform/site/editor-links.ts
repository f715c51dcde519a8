/** Pages of the origin on which editors work on what is found of the site. */
export const EDITORS_PATH = '/admin/seo';

/** Pages below these on which pictures get their sizes. */
export const PICTURES_PATH = `${EDITORS_PATH}/thumbnails`;

/** The page on which a row is edited, below the origin's address. */
export function editPath({ type, id }: { type: string; id: number }): string {
  return `${EDITORS_PATH}/${encodeURIComponent(type)}/${id}`;
}

/** The same as an address. */
export function editLink({ site }: { site: string }, row: { type: string; id: number }): string {
  return `${site}${editPath(row)}`;
}

/** The table of rows, narrowed to some of them. */
export function tableLink({ site }: { site: string }, filters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return `${site}${EDITORS_PATH}?${query.toString()}`;
}
