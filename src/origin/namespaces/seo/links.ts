import { and, eq, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { loadTermTree, typesWithHeads } from './head/find-page.ts';
import { readStoredUrl } from './object-settings.ts';

/** A public text and the number of other texts that link to its page. */
export interface LinkedText {
  id: number;
  type: string;
  title: string;
  date: string;
  meta: Record<string, string>;
  /** Address of its page. */
  url: string;
  incoming_link_count: number;
}

/** Values of `href` in PostgreSQL's syntax. Never reads past the next tag, so that it is linear in the text. */
const HREF = String.raw`<a(?:\s[^<>]*)?\shref\s*=\s*("[^"<]*"|'[^'<]*'|[^\s"'<>]+)`;

function hrefsOf(html: SQLWrapper): SQL<string[]> {
  return sql<string[]>`to_json(array(select distinct (regexp_matches(${html}, ${HREF}, 'gi'))[1]))`;
}

/** Finds the links in all public texts and descriptions of terms. */
export async function loadLinks(context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>) {
  const { store, kinds, publicUrl } = context;
  const { db } = store;
  const { id, type, title, status, slug, parentId, date, meta } = content;
  const rows = await db
    .select({ id, type, title, status, slug, parentId, date, meta, hrefs: hrefsOf(content.content) })
    .from(content)
    .where(and(inArray(type, typesWithHeads(context)), eq(status, 'publish'), eq(content.password, '')));
  const ancestors = await loadAncestors(db, rows);
  const terms = await db.select({ row: term, hrefs: hrefsOf(term.description) }).from(term);
  const tree = await loadTermTree(
    context,
    publicUrl,
    terms.map(({ row }) => row),
  );
  const roots = [publicUrl, (await readStoredUrl(db)) ?? publicUrl].map((url) => new URL(url));
  const base = { site: publicUrl, kinds };
  const pages = rows.map(({ hrefs, ...row }) => ({ row, hrefs, url: getContentUrl(row, base, ancestors) }));
  const counts = new Map<string, number>();
  for (const { url, hrefs } of [...pages, ...terms.map(({ row, hrefs }) => ({ url: tree.urlOf(row), hrefs }))]) {
    const targets = new Set(hrefs.map((href) => resolvePath(href, url, roots)));
    targets.delete(resolvePath(url, url, roots));
    for (const path of targets) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  /** Returns the number of other texts that link to a page of the site. */
  const countIncoming = (url: string) => counts.get(resolvePath(url, url, roots) ?? '') ?? 0;
  return {
    countIncoming,
    texts: pages.map(({ row, url }): LinkedText => ({ ...row, url, incoming_link_count: countIncoming(url) })),
  };
}

/**
 * Resolves a link to a path of the site: lower case, with a trailing slash unless it names a file. Undefined outside
 * the site.
 *
 * @param base address of the page that contains the link
 * @param roots current and stored address of the site
 */
function resolvePath(href: string, base: string, roots: readonly URL[]): string | undefined {
  const url = URL.parse(
    href
      .replaceAll(/^["']|["']$/g, '')
      .replaceAll('&amp;', '&')
      .trim(),
    base,
  );
  const root = roots.find(({ host }) => host === url?.host);
  const prefix = root?.pathname.replace(/\/$/, '') ?? '';
  if (!url || !root || !`${url.pathname}/`.startsWith(`${prefix}/`)) return undefined;
  const path = url.pathname.slice(prefix.length).toLowerCase();
  return path.endsWith('/') || path.slice(path.lastIndexOf('/')).includes('.') ? path : `${path}/`;
}
