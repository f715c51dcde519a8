import type { Ancestor } from './load-ancestors.ts';
import { getKind, type ContentKinds, type ContentRow } from '#origin/platform/registry/content-kind.ts';

type Linked = Pick<ContentRow, 'id' | 'type' | 'status' | 'slug' | 'parentId'>;
type Ancestors = ReadonlyMap<number, Pick<Ancestor, 'id' | 'type' | 'status' | 'slug' | 'parentId'>>;

/** Statuses of rows without public address. */
const UNADDRESSED = new Set(['draft', 'pending', 'future', 'trash', 'auto-draft']);

/** Address of the site and its content kinds. */
interface SiteUrls {
  site: string;
  kinds: ContentKinds;
}

/** Returns the address of a row's page. */
export function getContentUrl(row: Linked, base: SiteUrls, ancestors: Ancestors): string {
  const plain = plainLink(row, base);
  const { site } = base;
  const kind = getKind(row, base.kinds);
  if (UNADDRESSED.has(row.status) || !kind.hasPage) return plain;
  if (kind.isHierarchical) return `${site}/${pagePath(row, ancestors)}/`;
  if (!kind.isFile || row.parentId === 0) return `${site}/${row.slug}/`;
  const parent = ancestors.get(row.parentId);
  if (!parent || UNADDRESSED.has(parent.status)) return plain;
  return `${getContentUrl(parent, base, ancestors)}${row.slug}/`;
}

/** Returns the address of an author's page. */
export function getAuthorUrl({ slug }: { slug: string }, site: string): string {
  return `${site}/author/${slug}/`;
}

/** Returns the address with a placeholder for the slug. */
export function getUrlTemplate(row: Linked, base: SiteUrls, ancestors: Ancestors): string {
  const { isFile, isHierarchical } = getKind(row, base.kinds);
  if (isFile || row.status === 'trash') return plainLink(row, base);
  if (!isHierarchical) return `${base.site}/%postname%/`;
  return `${base.site}/${pagePath({ ...row, slug: '%pagename%' }, ancestors)}/`;
}

/** Returns an address by ID. */
function plainLink(row: Linked, { site, kinds }: SiteUrls): string {
  return `${site}/?${getKind(row, kinds).idParameter}=${row.id}`;
}

/** Returns the slugs of a page and its ancestors. */
function pagePath(page: Linked, ancestors: Ancestors): string {
  const slugs = [page.slug];
  const seen = new Set([page.id]);
  for (let above = ancestors.get(page.parentId); above && !seen.has(above.id); above = ancestors.get(above.parentId)) {
    slugs.unshift(above.slug);
    seen.add(above.id);
  }
  return slugs.join('/');
}
