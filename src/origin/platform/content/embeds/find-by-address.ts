import { and, eq, inArray, notInArray, type SQL } from 'drizzle-orm';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { mayRead } from '../content-rights.ts';
import { linkContent } from '../link-content.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { ANONYMOUS, type Caller } from '#origin/platform/http/callers/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { content } from '#origin/platform/store/schema.ts';

type Stored = Pick<OriginContext, 'store' | 'kinds'>;

/** Something of the site that everybody may see, with the address of its page. */
export interface Addressed {
  row: ContentRow;
  link: string;
}

/**
 * What the page of an address shows: by its path, with or without the slash at the end, or by an id.
 *
 * @param site address of the site, without a slash at the end
 * @param caller who is to see it. @default anybody: only what is public is found
 */
export async function findByAddress(
  context: Stored,
  site: string,
  address: string,
  caller: Caller = ANONYMOUS,
): Promise<Addressed | undefined> {
  const path = pathBelow(site, address);
  if (path === undefined) return undefined;
  const id = readId(path.searchParams, pagesOf(context));
  if (id !== undefined) return (await findReadable(context, site, eq(content.id, id), caller))[0];
  const slug = lastSegment(path.pathname);
  if (slug === '') return undefined;
  const found = await findReadable(context, site, eq(content.slug, slug), caller);
  return found.find(({ link }) => samePath(new URL(link).pathname, path.pathname));
}

/** The address, where it is one of the site. Other schemes lead to the same page; other hosts and ports do not. */
export function pathBelow(site: string, address: string): URL | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const root = new URL(site);
  const isBelow = `${url.pathname}/`.startsWith(root.pathname.replace(/\/?$/, '/'));
  return url.host === root.host && isBelow ? url : undefined;
}

function readId(parameters: URLSearchParams, kinds: readonly ContentKind[]): number | undefined {
  const names = new Set(kinds.map(({ idParameter }) => idParameter));
  const sent = [...names].flatMap((name) => parameters.get(name) ?? []);
  const [id] = sent.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  return id;
}

/** Slugs are stored with their octets encoded in lower case, as addresses are compared. */
function lastSegment(pathname: string): string {
  return (
    pathname
      .split('/')
      .findLast((part) => part !== '')
      ?.toLowerCase() ?? ''
  );
}

/** Whether two paths lead to the same page, with or without the slash at the end, in any case. */
export function samePath(a: string, b: string): boolean {
  return withSlash(a) === withSlash(b);
}

function withSlash(path: string): string {
  return path.replace(/\/?$/, '/').toLowerCase();
}

/** Kinds of content whose rows have pages. */
function pagesOf({ kinds }: Stored): ContentKind[] {
  return [...kinds.values()].filter(({ hasPage }) => hasPage);
}

async function findReadable(
  { store, kinds }: Stored,
  site: string,
  condition: SQL,
  caller: Caller,
): Promise<Addressed[]> {
  const { db } = store;
  const types = pagesOf({ store, kinds }).map(({ type }) => type);
  const rows = await db
    .select()
    .from(content)
    .where(and(condition, inArray(content.type, types), notInArray(content.status, ['trash', 'auto-draft'])));
  const ancestors = await loadAncestors(db, rows);
  return rows
    .filter((row) => mayRead(row, caller, ({ parentId }) => ancestors.get(parentId)))
    .map((row) => ({ row, link: linkContent(row, { site, kinds }, ancestors) }));
}
