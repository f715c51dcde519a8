import type { Ancestor } from './load-ancestors.ts';
import { kindOf, type ContentKinds, type ContentRow } from '#origin/platform/registry/content-kind.ts';

type Linked = Pick<ContentRow, 'id' | 'type' | 'status' | 'slug' | 'parentId'>;
type Ancestors = ReadonlyMap<number, Pick<Ancestor, 'id' | 'type' | 'status' | 'slug' | 'parentId'>>;

/** Statuses of rows that have no address a visitor could open. */
const UNADDRESSED = new Set(['draft', 'pending', 'future', 'trash', 'auto-draft']);

/** Where the site is, and what kinds of content it has. */
interface Place {
  site: string;
  kinds: ContentKinds;
}

/** The address of a row's page on the site. */
export function linkContent(row: Linked, place: Place, ancestors: Ancestors): string {
  const plain = plainLink(row, place);
  const { site } = place;
  const kind = kindOf(row, place.kinds);
  if (UNADDRESSED.has(row.status) || !kind.hasPage) return plain;
  if (kind.isHierarchical) return `${site}/${pagePath(row, ancestors)}/`;
  if (!kind.isFile || row.parentId === 0) return `${site}/${row.slug}/`;
  const parent = ancestors.get(row.parentId);
  if (!parent || UNADDRESSED.has(parent.status)) return plain;
  return `${linkContent(parent, place, ancestors)}${row.slug}/`;
}

/** The address of the page that lists what somebody has written. */
export function linkAuthor({ slug }: { slug: string }, site: string): string {
  return `${site}/author/${slug}/`;
}

/** The pattern of the address, with a placeholder where the slug goes. */
export function linkTemplate(row: Linked, place: Place, ancestors: Ancestors): string {
  const { isFile, isHierarchical } = kindOf(row, place.kinds);
  if (isFile || row.status === 'trash') return plainLink(row, place);
  if (!isHierarchical) return `${place.site}/%postname%/`;
  return `${place.site}/${pagePath({ ...row, slug: '%pagename%' }, ancestors)}/`;
}

/** An address that needs no slug. */
function plainLink(row: Linked, { site, kinds }: Place): string {
  return `${site}/?${kindOf(row, kinds).idParameter}=${row.id}`;
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
