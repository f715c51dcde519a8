import { listPageRevisions, listPages, listPostRevisions, listPosts } from '#contracts/core/routes.ts';
import { getUser, listUsers } from '#contracts/core/user-routes.ts';
import type { Page, Post } from '#contracts/core/post.ts';
import { SortimentError } from '#contracts/index.ts';
import { upstreamError } from '#client/upstream-result.ts';
import { digestRecord, formatRowName, sendRecords, type LoadDetails } from './send-records.ts';
import { type ImportRun, isAccessError, readRows, readStatuses } from './connect-site.ts';
import sanitizeHtml from 'sanitize-html';

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
const BATCH = 10;
const ROUTES = { page: listPages, post: listPosts } as const;

export async function importPages(run: ImportRun): Promise<void> {
  const pages: Page[] = [];
  for await (const rows of readArticles(run, 'page')) pages.push(...(rows as Page[]));
  const ordered = sortParentsFirst(pages);
  for (let start = 0; start < ordered.length; start += BATCH) {
    await send(run, 'page', ordered.slice(start, start + BATCH));
    run.progress('page', ordered.length);
  }
}

export async function importPosts(run: ImportRun): Promise<void> {
  for await (const rows of readArticles(run, 'post')) await send(run, 'post', rows as Post[]);
}

function readArticles(run: ImportRun, kind: 'page' | 'post') {
  return readStatuses(run, ROUTES[kind], kind, STATUSES, (status) => countPublic(run, kind, status));
}

/** Counts the publicly visible articles, if the site says so: the account may see fewer. */
async function countPublic({ client }: ImportRun, kind: 'page' | 'post', status: string): Promise<number> {
  if (status !== 'publish') return 0;
  const response = await client.call<typeof listPosts | typeof listPages>(ROUTES[kind], { query: { per_page: 1 } });
  return response.kind === 'ok' ? Number(response.headers['x-wp-total'] ?? 0) : 0;
}

/**
 * Ensures that the account can read posts in the edit context, which contains their source.
 *
 * @throws SortimentError IMPORT_NOT_PERMITTED
 */
export async function ensureEditorAccess({ client }: Pick<ImportRun, 'client'>): Promise<void> {
  const response = await client.call(listPosts, { query: { context: 'edit', per_page: 1 } });
  if (response.kind === 'ok') return;
  if (response.kind !== 'unauthorised') throw upstreamError(response);
  const what = `[GET] "${response.url}": ${response.detail}. The account is not allowed to edit posts.`;
  throw new SortimentError('IMPORT_NOT_PERMITTED', what, {
    hint: 'Use the application password of an administrator or an editor of the site.',
  });
}

async function send<T extends Page | Post>(run: ImportRun, kind: 'page' | 'post', rows: readonly T[]): Promise<void> {
  const converted = new Map(rows.map((row) => [row.id, convertTexts(run, kind, row)]));
  const complete: LoadDetails<T> = async (row) => ({
    wire: converted.get(row.id),
    revisions: await readRevisions(run, kind, row),
  });
  await importAuthors(run, rows);
  await sendRecords(rows, { ...run, kind, batch: BATCH, complete, digest: digestArticle });
}

/** Replaces shortcodes, which only the source site can run, by their HTML and reports losses. */
function convertTexts<T extends Page | Post>({ report }: ImportRun, kind: 'page' | 'post', row: T): T {
  const { raw = '', rendered } = row.content;
  if (!containsShortcode(raw)) return row;
  const text = convertShortcodes({ raw, rendered });
  const list = (names: readonly string[]) => `${formatRowName(row)}: ${names.join(', ')}`;
  if (text.converted.length > 0)
    report.note(kind, 'were imported with the HTML of their shortcodes', [list(text.converted)]);
  if (text.unknown.length > 0)
    report.lose(kind, 'contain shortcodes that the source site shows as text', [list(text.unknown)]);
  if (text.inert.length > 0)
    report.lose(kind, 'contain a form, a frame or a script that only the source site can run', [list(text.inert)]);
  return { ...row, content: { ...row.content, raw: text.raw } };
}

/** Marks converted texts, so that articles imported before shortcodes were converted are updated. */
function digestArticle(row: Page | Post): string {
  return digestRecord(containsShortcode(row.content.raw ?? '') ? { ...row, shortcodes: 'html' } : row);
}

async function readRevisions(run: ImportRun, kind: 'page' | 'post', row: Page | Post): Promise<unknown[]> {
  const links = (row as { _links?: Record<string, { count?: number }[]> })._links;
  if (links?.['version-history']?.[0]?.count === 0) return [];
  const route = kind === 'page' ? listPageRevisions : listPostRevisions;
  const response = await run.client.call(route, { params: { parent: row.id }, query: { context: 'edit' } });
  if (response.kind === 'unauthorised' || response.kind === 'gone' || response.kind === 'refused') {
    run.report.lose(kind, 'was imported without its revisions: they are not shown to this account', [
      formatRowName(row),
    ]);
    return [];
  }
  if (response.kind !== 'ok') throw upstreamError(response);
  const { body, problems } = response.value;
  for (const { id } of problems)
    run.report.lose(kind, 'was imported without an unreadable revision', [`${row.id}/${id}`]);
  await importAuthors(run, body);
  return [...body];
}

/** Result of replacing shortcodes by the HTML that the site renders for them. */
interface ShortcodeConversion {
  /** The text as one HTML block, or unchanged if no shortcode was converted. */
  raw: string;
  /** Names of converted shortcodes. */
  converted: string[];
  /** Names of shortcodes that the site itself shows as text because it doesn't know them. */
  unknown: string[];
  /** Names of elements in the converted HTML that a static page can't run. */
  inert: string[];
}

/** Shortcodes of every publishing site. Other names are recognised only with a value or a closing tag. */
const BUILT_IN = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video', 'wp_caption']);
const SHORTCODE = /(\[?)\[([a-z][\w-]{0,63})(?=[\s/\]])([^[\]<>]{0,2000})\]/gi;
const CLOSING = /\[\/([a-z][\w-]{0,63})\]/gi;
const INERT = ['form', 'iframe', 'object', 'script'];

export function containsShortcode(raw: string): boolean {
  return readShortcodes(raw).some(({ isLikely }) => isLikely);
}

/**
 * Replaces a text by its rendered HTML if it contains shortcodes that only the source site can run. A shortcode counts
 * as converted if the rendered text no longer contains it.
 */
export function convertShortcodes({ raw, rendered }: { raw: string; rendered: string }): ShortcodeConversion {
  const written = readShortcodes(raw);
  const byName = (shortcodes: readonly Shortcode[]) => Map.groupBy(shortcodes, ({ name }) => name);
  const before = byName(written);
  const after = byName(readShortcodes(rendered.replaceAll(/&#(?:0*91|x0*5b);/gi, '[')));
  const likely = [...new Set(written.filter(({ isLikely }) => isLikely).map(({ name }) => name))];
  const wasRun = (name: string): boolean => (after.get(name)?.length ?? 0) < (before.get(name)?.length ?? 0);
  const converted = rendered.trim() === '' ? [] : likely.filter(wasRun);
  const unknown = likely.filter((name) => !converted.includes(name));
  if (converted.length === 0) return { raw, converted, unknown, inert: [] };
  const inert = INERT.filter((name) => rendered.toLowerCase().includes(`<${name}`));
  return { raw: `<!-- wp:html -->\n${cleanRendered(rendered)}\n<!-- /wp:html -->`, converted, unknown, inert };
}

interface Shortcode {
  name: string;
  isLikely: boolean;
}

function readShortcodes(text: string): Shortcode[] {
  const found = [...text.matchAll(SHORTCODE)];
  const closed = new Set(Array.from(text.matchAll(CLOSING), ([, name = '']) => name.toLowerCase()));
  return found.map(([, bracket = '', written = '', values = '']) => {
    const name = written.toLowerCase();
    // Shortcodes in double brackets are shown in single brackets and not run.
    const isLikely = bracket === '' && (BUILT_IN.has(name) || /=/.test(values) || closed.has(name));
    return { name, isLikely };
  });
}

/** Removes scripts, comments, per-response IDs, and attributes that the origin computes itself. */
function cleanRendered(rendered: string): string {
  const html = sanitizeHtml(rendered, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    exclusiveFilter: ({ tag }) => tag === 'script' || tag === 'style',
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: filterAttributes(attribs) }),
    },
  });
  return html.trim();
}

const COMPUTED = new Set(['srcset', 'sizes', 'loading', 'decoding', 'fetchpriority']);
const NUMBERED = /^(?:gallery|audio|video|playlist)-[\d-]+$/;

function filterAttributes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const stable = Object.entries(attributes).filter(
    ([name, value]) => !COMPUTED.has(name) && !name.startsWith('on') && !(name === 'id' && NUMBERED.test(value)),
  );
  return Object.fromEntries(
    stable.map(([name, value]) => [name, name === 'src' ? value.replace(/[?&]_=\d+$/, '') : value]),
  );
}

/** Sorts rows so that parents come before children, otherwise keeping their order. */
export function sortParentsFirst<T extends { id: number; parent?: number | undefined }>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Set<T>();
  for (const row of rows) {
    const chain = new Set<T>();
    // A cycle of parents ends the climb too.
    for (let at: T | undefined = row; at && !ordered.has(at) && !chain.has(at); at = byId.get(at.parent ?? 0)) {
      chain.add(at);
    }
    for (const found of [...chain].toReversed()) ordered.add(found);
  }
  return [...ordered];
}

/** Copies the users that are visible to the account: all of them, or the published authors. */
export async function importPeople(run: ImportRun): Promise<void> {
  try {
    await importVisible(run, 'edit');
  } catch (error) {
    if (!isAccessError(error)) throw error;
    run.report.lose(
      'user',
      'logins, addresses and roles are not shown to this account: authors are imported by name only',
      [],
    );
    await importVisible(run, 'view');
  }
}

async function importVisible(run: ImportRun, context: 'edit' | 'view'): Promise<void> {
  for await (const { rows, total } of readRows(run, listUsers, { context }, { kind: 'user', report: run.report })) {
    for (const { id } of rows) run.authors.add(id);
    await sendRecords(rows, { ...run, kind: 'user' });
    run.progress('user', total);
  }
}

/** Copies authors of rows that were on no list. Invisible ones are replaced by a placeholder. */
export async function importAuthors(run: ImportRun, rows: readonly { author: number }[]): Promise<void> {
  for (const id of new Set(rows.map(({ author }) => author))) {
    if (id <= 0 || run.authors.has(id)) continue;
    run.authors.add(id);
    const response = await run.client.call(getUser, { params: { id } });
    const name = `author-${id}`;
    const wire =
      response.kind === 'ok'
        ? response.value.body
        : { id, name, slug: name, url: '', description: '', link: run.source.site };
    run.report.found('user', 1);
    if (response.kind !== 'ok')
      run.report.lose('user', 'is not shown to this account: a placeholder user was created', [name]);
    await sendRecords([wire], { ...run, kind: 'user' });
  }
}
