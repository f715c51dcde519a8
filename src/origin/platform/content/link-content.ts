import type { Ancestor } from './load-ancestors.ts';
import { kindOf, type ContentRow } from '#origin/platform/registry/content-kind.ts';

type Linked = Pick<ContentRow, 'id' | 'type' | 'status' | 'slug' | 'parentId'>;
type Ancestors = ReadonlyMap<number, Pick<Ancestor, 'id' | 'type' | 'status' | 'slug' | 'parentId'>>;

/** Statuses of rows that have no address a visitor could open. */
const UNADDRESSED = new Set(['draft', 'pending', 'future', 'trash', 'auto-draft']);

/** The address of a row's page on the site. */
export function linkContent(row: Linked, site: string, ancestors: Ancestors): string {
  const plain = plainLink(row, site);
  if (UNADDRESSED.has(row.status) || !kindOf(row).hasPage) return plain;
  if (row.type === 'page') return `${site}/${pagePath(row, ancestors)}/`;
  if (row.type !== 'attachment' || row.parentId === 0) return `${site}/${row.slug}/`;
  const parent = ancestors.get(row.parentId);
  if (!parent || UNADDRESSED.has(parent.status)) return plain;
  return `${linkContent(parent, site, ancestors)}${row.slug}/`;
}

/** The pattern of the address, with a placeholder where the slug goes. */
export function linkTemplate(row: Linked, site: string, ancestors: Ancestors): string {
  if (row.type === 'attachment' || row.status === 'trash') return plainLink(row, site);
  if (row.type === 'post') return `${site}/%postname%/`;
  const above = pagePath({ ...row, slug: '%pagename%' }, ancestors);
  return `${site}/${above}/`;
}

/** An address that needs no slug. */
function plainLink(row: Linked, site: string): string {
  return `${site}/?${kindOf(row).idParameter}=${row.id}`;
}

/** The slugs of a page and of those above it. */
function pagePath(page: Linked, ancestors: Ancestors): string {
  const slugs = [page.slug];
  const seen = new Set([page.id]);
  for (let above = ancestors.get(page.parentId); above && !seen.has(above.id); above = ancestors.get(above.parentId)) {
    slugs.unshift(above.slug);
    seen.add(above.id);
  }
  return slugs.join('/');
}
