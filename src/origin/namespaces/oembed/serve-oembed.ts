import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { escapeXml } from '#contracts/html/html-text.ts';
import { getEmbed, getProxiedEmbed, type Embed, embed as embedSchema } from '#contracts/oembed.ts';
import {
  findByUrl,
  type RowWithUrl,
  findThumbnail,
  presentEmbed,
  renderTitle,
} from '#origin/platform/content/embeds.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { requireRight, type AnyCall, type RouteResult } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { escapeHtml, sanitise } from '#origin/platform/render/filter-html.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { z } from 'zod';
import { findTags, isSortimentError } from '#contracts/index.ts';

const PAGE = { maxBytes: 1024 * 1024, timeoutMs: 5000, accept: 'text/html' };
const ENDPOINT = { maxBytes: 256 * 1024, timeoutMs: 5000, accept: 'application/json' };

/** Maximum size in pixels. 0 means no limit. */
interface EmbedSize {
  maxwidth: number;
  maxheight: number;
}

const httpUrl = z
  .url({ protocol: /^https?$/ })
  .optional()
  .catch(undefined);

/** Response of another provider. Numbers may be strings, and photos have a URL instead of HTML. */
const providerResponse = embedSchema
  .pick({ type: true, title: true, author_name: true, provider_name: true, html: true })
  .extend({
    width: z.coerce.number().nullable().optional().catch(undefined),
    height: z.coerce.number().nullable().optional().catch(undefined),
    author_url: httpUrl,
    provider_url: httpUrl,
    thumbnail_url: httpUrl,
    thumbnail_width: z.coerce.number().optional().catch(undefined),
    thumbnail_height: z.coerce.number().optional().catch(undefined),
    url: httpUrl,
  })
  .strip();

/**
 * Discovers the oEmbed endpoint of a page and fetches its response. The HTML is reduced to text, links and sandboxed
 * frames.
 *
 * @returns undefined if the page is unreadable, has no endpoint, or the response is invalid
 */
async function discoverEmbed(url: string, size: EmbedSize, read: typeof guardedFetch): Promise<Embed | undefined> {
  try {
    const page = await read(url, PAGE);
    const link = page.status === 200 ? findEndpoint(page.body.toString('utf8'), page.url) : undefined;
    if (!link) return undefined;
    for (const [name, pixels] of Object.entries(size)) if (pixels > 0) link.searchParams.set(name, String(pixels));
    const response = await read(link, ENDPOINT);
    return response.status === 200 ? parseEmbed(response.body.toString('utf8')) : undefined;
  } catch (error) {
    // A blocked, unreachable or too large page is not embeddable.
    if (isSortimentError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function findEndpoint(html: string, base: string): URL | undefined {
  for (const { source: tag } of findTags(html, /<link\b/i)) {
    if (!/\btype\s*=\s*["']?application\/json\+oembed/i.test(tag)) continue;
    const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
    const address = (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&').replaceAll('&#038;', '&');
    if (address !== '' && URL.canParse(address, base)) return new URL(address, base);
  }
  return undefined;
}

function parseEmbed(json: string): Embed | undefined {
  const parsed = providerResponse.safeParse(JSON.parse(json));
  if (!parsed.success) return undefined;
  const { url, html = '', ...properties } = parsed.data;
  const { type, title = '' } = properties;
  if (type === 'link') return { version: '1.0', ...properties };
  const image = url && `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}">`;
  const markup = type === 'photo' ? image : sanitizeHtml(html);
  return markup ? { version: '1.0', ...properties, html: markup } : undefined;
}

function sanitizeHtml(html: string): string {
  const sanitized = sanitise(html, {
    allowedTags: ['blockquote', 'p', 'br', 'em', 'strong', 'a', 'iframe'],
    allowedAttributes: { a: ['href'], iframe: ['src', 'width', 'height', 'title', 'sandbox', 'loading'] },
    allowedSchemes: ['https', 'http'],
    transformTags: {
      iframe: (tagName, attribs) => ({
        tagName,
        attribs: { ...attribs, sandbox: 'allow-scripts allow-popups', loading: 'lazy' },
      }),
    },
  });
  return sanitized?.trim() ?? '';
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
article { display: grid; gap: .75rem; padding: 1rem; border: 1px solid light-dark(#d5d2ca, #3a4248); }
h1 { font-size: 1.2rem; line-height: 1.3; margin: 0; }
p { margin: 0; }
img { max-inline-size: 100%; block-size: auto; }
a { color: light-dark(#0b5f59, #6fd0c5); }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const THUMBNAIL_WIDTH = 600;

/** Allows framing by any page. Forbids scripts, forms, and images of other sites. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

const PLAYERS: Readonly<Record<'audio' | 'video', RegExp>> = {
  audio: /\.(?:mp3|ogg|oga|flac|m4a|wav|opus)$/i,
  video: /\.(?:mp4|m4v|webm|ogv)$/i,
};

const DAY_MS = 24 * 60 * 60 * 1000;

const MAX_CACHED = 500;

/** Maximum length of a key and its JSON value. Longer values are not cached. */
const MAX_CHARACTERS = 16 * 1024;

function serveOembed(registry: RouteRegistry, read: typeof guardedFetch): void {
  const cached = createDayCache();
  registry.serve(getEmbed, async (call) => foundOrReject(call, await embedLocal(call)));
  registry.serve(
    getProxiedEmbed,
    async (call) => {
      const { url, maxwidth, maxheight = 0, discover } = call.query;
      const local = await embedLocal(call);
      if (local || isLocalUrl(url, call.addresses.site)) return foundOrReject(call, local);
      const file = embedFile(url);
      if (file || !discover) return foundOrReject(call, file);
      const size = { maxwidth: parseLength(maxwidth), maxheight: parseLength(maxheight) };
      return foundOrReject(call, await cached(JSON.stringify([url, size]), () => discoverEmbed(url, size, read)));
    },
    {
      isKept: false,
      permit: requireRight('edit_posts', 'rest_forbidden', 'You are not allowed to embed other sites.'),
    },
  );
}

async function embedLocal(call: AnyCall & { query: { url: string; maxwidth: unknown } }): Promise<Embed | undefined> {
  const { url, maxwidth } = call.query;
  const found = await findByUrl(call.context, call.addresses.site, url);
  return found && presentEmbed(found, parseLength(maxwidth), call);
}

function foundOrReject<E>({ refuse }: AnyCall<'oembed_invalid_url'>, found: E | undefined): RouteResult<E> {
  if (!found) throw refuse('oembed_invalid_url', 'Not Found');
  return { status: 200, body: found };
}

/** The `oembed/1.0` namespace. @param read fetches pages of other sites */
export const oembed = (read: typeof guardedFetch = guardedFetch): NamespaceModule => ({
  name: 'oembed',
  description: 'Embeds of pages of this site and of others.',
  namespaces: ['oembed/1.0'],
  serve: (registry) => serveOembed(registry, read),
  forms: {
    [getEmbed.path]: (response, { url }) =>
      new URL(url).searchParams.get('format') === 'xml' ? toXml(response) : response,
  },
  pages: embedPages,
});

/** Parses a length in pixels leniently: the absolute leading integer, or 0. */
function parseLength(sent: unknown): number {
  const length = Number.parseInt(String(sent), 10);
  return Number.isNaN(length) ? 0 : Math.abs(length);
}

/** Creates an in-process cache with a lifetime of one day. Misses are not cached. */
function createDayCache() {
  const entries = new Map<string, { value: Embed; until: number }>();
  return async (key: string, find: () => Promise<Embed | undefined>) => {
    const entry = entries.get(key);
    if (entry && entry.until > Date.now()) return entry.value;
    entries.delete(key);
    const value = await find();
    if (value === undefined || key.length + JSON.stringify(value).length > MAX_CHARACTERS) return value;
    const [oldest] = entries.keys();
    if (entries.size >= MAX_CACHED && oldest !== undefined) entries.delete(oldest);
    entries.set(key, { value, until: Date.now() + DAY_MS });
    return value;
  };
}

/** Embeds audio and video files by their extension with the browser's player, without a request. */
function embedFile(url: string) {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, pathname } = new URL(url);
  const kind = PLAYERS.audio.test(pathname) ? 'audio' : PLAYERS.video.test(pathname) ? 'video' : undefined;
  if (!kind) return undefined;
  const source = escapeHtml(href);
  const html = `<${kind} controls preload="none" src="${source}"><a href="${source}">${source}</a></${kind}>`;
  return { provider_name: 'Embed Handler', html, scripts: [] };
}

/** True if the URL has the host of this site. */
function isLocalUrl(url: string, site: string): boolean {
  return URL.canParse(url) && new URL(url).host === new URL(site).host;
}

/** Converts a JSON response to XML. Headers and status don't change. */
async function toXml(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'text/xml; charset=UTF-8');
  const text = await response.text();
  const body = text === '' ? null : `<?xml version="1.0"?>\n<oembed>${writeInner(JSON.parse(text))}</oembed>\n`;
  return new Response(body, { status: response.status, headers });
}

/** Writes objects by their keys. List items are named after the root element. */
function writeInner(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => element('oembed', entry)).join('');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => element(/^[a-z_][\w.-]*$/i.test(key) ? key : 'oembed', inner))
      .join('');
  return escapeXml(String(value ?? ''));
}

function element(name: string, value: unknown): string {
  return `<${name}>${writeInner(value)}</${name}>`;
}

/** Handles `<page>/embed/`, and `?p=<id>&embed=true` for pages without a path, with a card that links to the page. */
function embedPages(context: OriginContext): MiddlewareHandler {
  return async (c, next) => {
    const url = new URL(c.req.raw.url);
    const isCard = /\/embed\/?$/.test(url.pathname) || url.searchParams.get('embed') === 'true';
    if (!isCard || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next();
    const path = url.pathname.replace(/embed\/?$/, '');
    const address = `${new URL(context.publicUrl).origin}${path}${url.search}`;
    const found = await findByUrl(context, context.publicUrl, address);
    if (!found) return next();
    const body = await renderCard(context, found);
    return new Response(c.req.method === 'HEAD' ? null : body, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      },
    });
  };
}

async function renderCard(context: OriginContext, { row, link }: RowWithUrl): Promise<string> {
  const [site, thumbnail] = await Promise.all([
    loadSite({ context }),
    findThumbnail(context.store.db, context.publicUrl, row, THUMBNAIL_WIDTH),
  ]);
  const localize = (text: string) => replaceSiteUrl(text, site.url, context.publicUrl);
  const title = renderTitle(row);
  const excerpt =
    row.password === '' ? plainText(await runTextJob('excerpt', localize(row.excerpt), localize(row.content))) : '';
  const markup = await html`<!doctype html>
    <html>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${raw(plainText(title))} – ${site.name}</title>
        <link rel="canonical" href="${link}" />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <article>
          ${
            thumbnail
              ? html`<img
                  src="${thumbnail.url}"
                  width="${thumbnail.width}"
                  height="${thumbnail.height}"
                  alt="${thumbnail.alt}"
                />`
              : ''
          }
          <h1><a href="${link}" target="_top">${raw(title)}</a></h1>
          ${excerpt === '' ? '' : html`<p>${raw(excerpt)}</p>`}
          <p><a href="${context.publicUrl}/" target="_top">${site.name}</a></p>
        </article>
      </body>
    </html> `;
  return String(markup);
}
