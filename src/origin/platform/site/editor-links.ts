export const EDITORS_PATH = '/admin/seo';

export const PICTURES_PATH = `${EDITORS_PATH}/thumbnails`;

/** Path of the editor page of a row. */
export function editPath({ type, id }: { type: string; id: number }): string {
  return `${EDITORS_PATH}/${encodeURIComponent(type)}/${id}`;
}

export function editLink({ site }: { site: string }, row: { type: string; id: number }): string {
  return `${site}${editPath(row)}`;
}

/** Address of the table of rows with filters applied. */
export function tableLink({ site }: { site: string }, filters: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]));
  return `${site}${EDITORS_PATH}?${query.toString()}`;
}
