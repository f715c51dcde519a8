import { and, eq, inArray, notInArray, type SQL } from 'drizzle-orm';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { isReadableBy } from '../content-rights.ts';
import { getContentUrl, loadAncestors } from '../content-url.ts';
import { ANONYMOUS, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { content } from '#origin/platform/store/schema.ts';

type Stored = Pick<OriginContext, 'store' | 'kinds'>;

/** A visible row with the address of its page. */
export interface RowWithUrl {
  row: ContentRow;
  link: string;
}

/**
 * Finds the row for the address of its page: by path, with or without trailing slash, or by ID.
 *
 * @param site address of the site, without a trailing slash
 * @param caller the viewer. @default anonymous: only public rows are found
 */
export async function findByUrl(
  context: Stored,
  site: string,
  address: string,
  caller: Caller = ANONYMOUS,
): Promise<RowWithUrl | undefined> {
  const path = parseSiteUrl(site, address);
  if (path === undefined) return undefined;
  const id = readId(path.searchParams, pagesOf(context));
  if (id !== undefined) return (await findReadable(context, site, eq(content.id, id), caller))[0];
  const slug = lastSegment(path.pathname);
  if (slug === '') return undefined;
  const found = await findReadable(context, site, eq(content.slug, slug), caller);
  return found.find(({ link }) => isSamePath(new URL(link).pathname, path.pathname));
}

/** Parses an address of the site. Undefined for other hosts and ports; the scheme may differ. */
export function parseSiteUrl(site: string, address: string): URL | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const root = new URL(site);
  const isBelow = `${url.pathname}/`.startsWith(root.pathname.replace(/\/?$/, '/'));
  return url.host === root.host && isBelow ? url : undefined;
}

function readId(parameters: URLSearchParams, kinds: readonly ContentKind[]): number | undefined {
  const names = new Set(kinds.map(({ idParameter }) => idParameter));
  const values = [...names].flatMap((name) => parameters.get(name) ?? []);
  const [id] = values.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  return id;
}

/**
 * Returns the last segment in lower case. Slugs are stored encoded in lower case, and addresses are compared the same
 * way.
 */
function lastSegment(pathname: string): string {
  return (
    pathname
      .split('/')
      .findLast((part) => part !== '')
      ?.toLowerCase() ?? ''
  );
}

/** Compares paths, ignoring case and trailing slashes. */
export function isSamePath(a: string, b: string): boolean {
  return withSlash(a) === withSlash(b);
}

function withSlash(path: string): string {
  return path.replace(/\/?$/, '/').toLowerCase();
}

/** Returns the kinds whose rows have pages. */
function pagesOf({ kinds }: Stored): ContentKind[] {
  return [...kinds.values()].filter(({ hasPage }) => hasPage);
}

async function findReadable(
  { store, kinds }: Stored,
  site: string,
  condition: SQL,
  caller: Caller,
): Promise<RowWithUrl[]> {
  const { db } = store;
  const types = pagesOf({ store, kinds }).map(({ type }) => type);
  const rows = await db
    .select()
    .from(content)
    .where(
      and(
        condition,
        inArray(content.type, types),
        notInArray(content.status, ['trash', 'auto-draft']),
        isReadableBy(caller),
      ),
    );
  const ancestors = await loadAncestors(db, rows);
  return rows.map((row) => ({ row, link: getContentUrl(row, { site, kinds }, ancestors) }));
}
