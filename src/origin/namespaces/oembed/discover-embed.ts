import { z } from 'zod';
import { findTags, isSortimentError } from '#contracts/index.ts';
import { embed as embedSchema, type Embed } from '#contracts/oembed.ts';
import type { guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { escapeHtml, sanitise } from '#origin/platform/render/filter-html.ts';

const PAGE = { maxBytes: 1024 * 1024, timeoutMs: 5000, accept: 'text/html' };
const ANSWER = { maxBytes: 256 * 1024, timeoutMs: 5000, accept: 'application/json' };

/** The most that is asked for; 0 leaves it to the other site. */
export interface EmbedSize {
  maxWidth: number;
  maxHeight: number;
}

/** What other sites answer: numbers may be texts, and pictures have an address instead of HTML. */
const foreignEmbed = embedSchema
  .pick({ type: true, title: true, author_name: true, provider_name: true, html: true })
  .extend({
    width: z.coerce.number().nullable().optional().catch(undefined),
    height: z.coerce.number().nullable().optional().catch(undefined),
    author_url: webAddress().optional().catch(undefined),
    provider_url: webAddress().optional().catch(undefined),
    thumbnail_url: webAddress().optional().catch(undefined),
    thumbnail_width: z.coerce.number().optional().catch(undefined),
    thumbnail_height: z.coerce.number().optional().catch(undefined),
    url: webAddress().optional().catch(undefined),
  })
  .strip();

/**
 * Asks the page at an address how it is embedded: it names the address of its answer in a link. What another site
 * answers is cut down to text, links, and frames that may run their own scripts and nothing of the page around them.
 *
 * @returns nothing when the page can not be read, names no answer, or answers something else
 */
export async function discoverEmbed(
  url: string,
  size: EmbedSize,
  read: typeof guardedFetch,
): Promise<Embed | undefined> {
  try {
    const page = await read(url, PAGE);
    const link = page.status === 200 ? findAnswerLink(page.body.toString('utf8'), page.url) : undefined;
    if (!link) return undefined;
    if (size.maxWidth > 0) link.searchParams.set('maxwidth', String(size.maxWidth));
    if (size.maxHeight > 0) link.searchParams.set('maxheight', String(size.maxHeight));
    const answer = await read(link, ANSWER);
    return answer.status === 200 ? readForeign(answer.body.toString('utf8')) : undefined;
  } catch (error) {
    // Refused, unreachable, too large: for the caller it is not embeddable, whatever the reason.
    if (isSortimentError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function findAnswerLink(html: string, base: string): URL | undefined {
  for (const { source: tag } of findTags(html, /<link\b/i)) {
    if (!/\btype\s*=\s*["']?application\/json\+oembed/i.test(tag)) continue;
    const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
    const address = (href?.[1] ?? href?.[2] ?? '').replaceAll('&amp;', '&').replaceAll('&#038;', '&');
    if (address !== '' && URL.canParse(address, base)) return new URL(address, base);
  }
  return undefined;
}

function readForeign(json: string): Embed | undefined {
  const read = foreignEmbed.safeParse(JSON.parse(json));
  if (!read.success) return undefined;
  const { url, html, ...properties } = read.data;
  const markup =
    properties.type === 'photo'
      ? picture(url, properties.title)
      : properties.type === 'link'
        ? undefined
        : cut(html ?? '');
  if (markup === '') return undefined;
  return { version: '1.0', ...properties, ...(markup === undefined ? {} : { html: markup }) };
}

function picture(url: string | undefined, title = ''): string {
  return url === undefined ? '' : `<img src="${escapeHtml(url)}" alt="${escapeHtml(title)}">`;
}

function cut(html: string): string {
  const kept = sanitise(html, {
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
  return kept?.trim() ?? '';
}

function webAddress() {
  return z.url({ protocol: /^https?$/ });
}
