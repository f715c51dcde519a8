import { basename } from 'node:path/posix';
import { z } from 'zod';
import { downloadZip } from 'client-zip';
import { and, desc, eq } from 'drizzle-orm';
import {
  exportSite,
  getEditorAssets,
  getEditorSettings,
  getNavigationFallback,
  getUrlDetails,
} from '#contracts/core/editor.ts';
import { navigationMenuRoutes } from '#contracts/core/routes.ts';
import { isSortimentError, findSpans, findTags, stripTags } from '#contracts/index.ts';
import { findByUrl } from '#origin/platform/content/embeds.ts';
import { allowedMethods } from '#origin/platform/content/present-content.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { addContent } from '#origin/platform/content/writing/write-content.ts';
import { loadWritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { IMAGE_SIZES } from '#contracts/core/image-sizes.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, requireRight, type AnyCall, type ResultOf } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { errorFactory, type RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';
import { ICON_COLLECTIONS } from '#origin/platform/site/icon-set.ts';
import { loadSite, presentSiteSettings } from '#origin/platform/site/load-site.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { decodeEntities } from '#contracts/html/html-text.ts';
import { toSingleLine } from '#contracts/scan-text.ts';

const FORBIDDEN = 'You are not allowed to do this.';

const MAX_TEXT = 500;

/** Parses title, icon, description and image from the head of a page. Texts contain no markup. Missing values are empty. */
export function parsePageHead(html: string, address: string) {
  const [head = ''] = html.split(/<body[\s>]/i, 1);
  const metas = listTags(head, /<meta\b/i).map((tag) => ({
    names: [attribute(tag, 'name'), attribute(tag, 'property')],
    content: attribute(tag, 'content'),
  }));
  const getMeta = (name: string) => metas.find(({ names }) => names.includes(name))?.content ?? '';
  const icon = listTags(head, /<link\b/i).find((tag) => /(?:^|\s)icon(?:\s|$)/i.test(attribute(tag, 'rel')));
  return {
    title: plainTextOf(findTitle(head)),
    icon: resolveUrl(attribute(icon ?? '', 'href'), address),
    description: plainTextOf(getMeta('description') || getMeta('og:description')),
    image: resolveUrl(getMeta('og:image'), address),
  };
}

function listTags(html: string, opening: RegExp): string[] {
  return [...findTags(html, opening)].map(({ source }) => source);
}

function findTitle(head: string): string {
  const { value: opening } = findTags(head, /<title\b/i).next();
  if (!opening) return '';
  const { value: title } = findSpans(head.slice(opening.start), /^[^>]*>/, /<\/title>/i).next();
  return title?.inner ?? '';
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

function plainTextOf(raw: string): string {
  return toSingleLine(decodeEntities(stripTags(raw))).slice(0, MAX_TEXT);
}

/** Resolves an http or https URL. Returns an empty string for others. */
function resolveUrl(url: string, base: string): string {
  if (url === '' || !URL.canParse(url, base)) return '';
  const { protocol, href } = new URL(url, base);
  return /^https?:$/.test(protocol) ? href : '';
}

const SIZE_LABELS: Readonly<Record<string, string>> = { thumbnail: 'Thumbnail', medium: 'Medium', large: 'Large' };

const PAGE = { maxBytes: 1024 * 1024, timeoutMs: 5000, accept: 'text/html' };

const kind = CONTENT_KINDS.wp_navigation;

const FALLBACK_MENU = { title: 'Navigation', content: '<!-- wp:page-list /-->', status: 'publish' } as const;

/** Fixed modification time, so that equal files yield equal archives. The earliest date of the ZIP format. */
const MODIFIED_AT = new Date('1980-01-01T00:00:00');

const exportBody = z.object({ name: z.string(), files: z.record(z.string(), z.string()) });

function serveBlockEditor(registry: RouteRegistry): void {
  const allow = <Code extends string>(right: Right, code: Code) => ({ permit: requireRight(right, code, FORBIDDEN) });
  registry.serve(getUrlDetails, async (call) => item(await readUrlDetails(call, call.query.url)), {
    ...allow('edit_posts', 'rest_cannot_view_url_details'),
    isKept: false,
  });
  registry.serve(exportSite, exportFiles, allow('export', 'rest_cannot_export_templates'));
  registry.serve(getNavigationFallback, getFallbackMenu, allow('edit_theme_options', 'rest_cannot_create'));
  registry.serve(getEditorSettings, loadEditorSettings, allow('edit_posts', 'rest_cannot_read_block_editor_settings'));
  // The origin has no theme, so there are no styles or scripts to load.
  const assets = { styles: '', scripts: '' };
  registry.serve(getEditorAssets, () => item(assets), allow('edit_posts', 'rest_cannot_read_block_editor_assets'));
}

export const blockEditor: NamespaceModule = {
  name: 'block-editor',
  description: 'Data that the block editor loads when it opens.',
  namespaces: ['block-editor/v1'],
  serve: serveBlockEditor,
  forms: {
    [exportSite.path]: (response, { url }) => (new URL(url).searchParams.has('_envelope') ? response : toZip(response)),
  },
};

/** Converts a JSON response with files to a ZIP archive. Error responses don't change. */
async function toZip(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/zip');
  // `Allow` describes the JSON resource, not the archive.
  headers.delete('Allow');
  const text = await response.text();
  if (text === '') return new Response(null, { headers });
  const parsed = exportBody.safeParse(JSON.parse(text));
  // Envelopes and selections of fields stay JSON.
  if (!parsed.success) return new Response(text, { headers: response.headers });
  headers.set('Content-Disposition', `attachment; filename=${parsed.data.name}.zip`);
  const files = Object.entries(parsed.data.files).map(([name, input]) => ({ name, input, lastModified: MODIFIED_AT }));
  return new Response(downloadZip(files).body, { headers });
}

async function getFallbackMenu(call: AnyCall): Promise<ResultOf<typeof getNavigationFallback>> {
  const menu = await ensureFallbackMenu(call);
  const allow = allowedMethods(menu, { call, kind, parentOf: () => undefined });
  const href = call.addresses.rest(`${kind.base}/${menu.id}`);
  return item({ id: menu.id, _links: { self: [{ embeddable: true, href, targetHints: { allow } }] } });
}

/** Returns the newest published navigation menu. Without one, creates a menu of all pages as the caller. */
async function ensureFallbackMenu(call: AnyCall): Promise<ContentRow> {
  const { db } = call.context.store;
  // Reads first, because a write waits for the lock.
  const found = await findNewestMenu(db);
  if (found) return found;
  // Created like a request of the caller. The fixed content is always valid.
  const refuse = errorFactory(navigationMenuRoutes.create.errors, call.caller);
  const scope = await loadWritingScope(call, kind, refuse);
  return writeContent(
    db,
    async (tx, now) => (await findNewestMenu(tx)) ?? (await addContent(tx, FALLBACK_MENU, { ...scope, now })).row,
  );
}

async function findNewestMenu(db: Pick<Database, 'select'>): Promise<ContentRow | undefined> {
  const [newest] = await db
    .select()
    .from(content)
    .where(and(eq(content.type, kind.type), eq(content.status, 'publish')))
    .orderBy(desc(content.date), desc(content.id))
    .limit(1);
  return newest;
}

/** Exports patterns as HTML, icons as SVG, and settings as JSON, by their path in the archive. */
async function exportFiles(call: AnyCall): Promise<ResultOf<typeof exportSite>> {
  const settings = await presentSiteSettings(call);
  const patterns = BLOCK_PATTERNS.map(({ name, content }) => [`patterns/${basename(name)}.html`, content]);
  const icons = ICON_COLLECTIONS.flatMap((collection) =>
    collection.icons.map(({ name, content }) => [`icons/${name}.svg`, content]),
  );
  const about = {
    settings,
    patterns: BLOCK_PATTERNS.map(({ name, title, description, categories }) => ({
      name,
      title,
      description,
      categories,
    })),
    categories: BLOCK_PATTERN_CATEGORIES,
  };
  const site = JSON.stringify(about, undefined, 2);
  const files = { 'site.json': `${site}\n`, ...Object.fromEntries([...patterns, ...icons]) };
  return item({ name: 'sortiment', files });
}

/**
 * Returns the details of a page. Pages of this site are read from the store, others are fetched.
 *
 * @throws RestError if the page does not exist or is unreadable
 */
async function readUrlDetails(call: AnyCall<'no_response'>, url: string) {
  const { addresses, context } = call;
  if (new URL(url).host === new URL(addresses.site).host) {
    const found = await findByUrl(context, addresses.site, url);
    if (!found) throw noResponse(call);
    const { name } = await loadSite(call);
    return { title: `${plainText(found.row.title)} – ${name}`, icon: '', description: '', image: '' };
  }
  try {
    const page = await guardedFetch(url, PAGE);
    if (page.status !== 200) throw noResponse(call);
    return parsePageHead(page.body.toString('utf8'), page.url);
  } catch (error) {
    throw isSortimentError(error) ? noResponse(call) : error;
  }
}

function noResponse({ refuse }: AnyCall<'no_response'>): RestError {
  return refuse('no_response', 'The URL does not exist or is unreadable.');
}

/** Returns the editor's settings, such as upload types, image sizes and patterns. */
async function loadEditorSettings(call: AnyCall): Promise<ResultOf<typeof getEditorSettings>> {
  const { timezone } = await loadSite(call);
  const shown = IMAGE_SIZES.filter(({ name }) => name in SIZE_LABELS);
  return item({
    alignWide: false,
    allowedBlockTypes: true,
    allowedMimeTypes: Object.fromEntries(Object.entries(UPLOAD_TYPES).map(([type, names]) => [names.join('|'), type])),
    availableTemplates: Object.fromEntries(CONTENT_KINDS.page.templates.map((name) => [name, name])),
    blockCategories: [],
    canUploadMedia: can(call.caller, 'upload_files'),
    codeEditingEnabled: true,
    disableCustomColors: true,
    disableCustomFontSizes: true,
    disableCustomGradients: true,
    enableCustomLineHeight: false,
    imageDimensions: Object.fromEntries(shown.map(({ name, width, height, crop }) => [name, { width, height, crop }])),
    imageSizes: [
      ...shown.map(({ name }) => ({ slug: name, name: SIZE_LABELS[name] })),
      { slug: 'full', name: 'Full Size' },
    ],
    isRTL: false,
    styles: [],
    supportsTemplateMode: false,
    timezone,
    __experimentalBlockPatterns: BLOCK_PATTERNS,
    __experimentalBlockPatternCategories: BLOCK_PATTERN_CATEGORIES,
  });
}
