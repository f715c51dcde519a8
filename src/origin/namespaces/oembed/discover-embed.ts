import { z } from 'zod';
import { findTags, isSortimentError } from '#contracts/index.ts';
import { embed as embedSchema, type Embed } from '#contracts/oembed.ts';
import type { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { escapeHtml, sanitise } from '#origin/platform/render/filter-html.ts';

const PAGE = { maxBytes: 1024 * 1024, timeoutMs: 5000, accept: 'text/html' };
const ENDPOINT = { maxBytes: 256 * 1024, timeoutMs: 5000, accept: 'application/json' };

/** Maximum size in pixels. 0 means no limit. */
export interface EmbedSize {
  maxWidth: number;
  maxHeight: number;
}

/** Response of another provider. Numbers may be strings, and photos have a URL instead of HTML. */
const providerResponse = embedSchema
  .pick({ type: true, title: true, author_name: true, provider_name: true, html: true })
  .extend({
    width: z.coerce.number().nullable().optional().catch(undefined),
    height: z.coerce.number().nullable().optional().catch(undefined),
    author_url: httpUrl().optional().catch(undefined),
    provider_url: httpUrl().optional().catch(undefined),
    thumbnail_url: httpUrl().optional().catch(undefined),
    thumbnail_width: z.coerce.number().optional().catch(undefined),
    thumbnail_height: z.coerce.number().optional().catch(undefined),
    url: httpUrl().optional().catch(undefined),
  })
  .strip();

/**
 * Discovers the oEmbed endpoint of a page and fetches its response. The HTML is reduced to text, links and sandboxed
 * frames.
 *
 * @returns undefined if the page is unreadable, has no endpoint, or the response is invalid
 */
export async function discoverEmbed(
  url: string,
  size: EmbedSize,
  read: typeof guardedFetch,
): Promise<Embed | undefined> {
  try {
    const page = await read(url, PAGE);
    const link = page.status === 200 ? findEndpoint(page.body.toString('utf8'), page.url) : undefined;
    if (!link) return undefined;
    if (size.maxWidth > 0) link.searchParams.set('maxwidth', String(size.maxWidth));
    if (size.maxHeight > 0) link.searchParams.set('maxheight', String(size.maxHeight));
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
  const { url, html, ...properties } = parsed.data;
  const markup =
    properties.type === 'photo'
      ? renderImage(url, properties.title)
      : properties.type === 'link'
        ? undefined
        : sanitizeHtml(html ?? '');
  if (markup === '') return undefined;
  return { version: '1.0', ...properties, ...(markup === undefined ? {} : { html: markup }) };
}

function renderImage(url: string | undefined, title = ''): string {
  return url === undefined ? '' : `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}">`;
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

function httpUrl() {
  return z.url({ protocol: /^https?$/ });
}
