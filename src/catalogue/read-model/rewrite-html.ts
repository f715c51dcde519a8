import { LOCAL_EMBED } from '#catalogue/journal/enrich-html.ts';
import { documentFileName } from '#catalogue/documents/document-csv.ts';
import { linkedImagePath, pictureSources } from '#catalogue/images/image-variants.ts';
import {
  decodeHtml,
  escapeHtml,
  tokenizeHtml,
  openTag,
  type HtmlToken,
  ELEMENTS,
  MATH_TAGS,
} from '#contracts/html/html-text.ts';
import type { ImageAsset } from '#catalogue/entries/entries.ts';

export interface HtmlResolvers {
  /** Returns the new address of a link, or undefined to leave it unchanged. */
  resolveLink: (href: string) => string | undefined;
  findImage: (src: string, alt: string) => ImageAsset | undefined;
  /** Returns the path of the file's copy on this site. */
  findFile: (address: string) => string | undefined;
  /** Returns the article at a path of this site. */
  findArticle: (path: string) => EmbeddedArticle | undefined;
}

export interface EmbeddedArticle {
  title: string;
  excerpt: string;
  featured: ImageAsset | undefined;
}

type StartTag = Extract<HtmlToken, { kind: 'open' }>;

const REWRITTEN = /<(?:a|img|audio|video)\b/;

/**
 * Rewrites sanitised HTML of an article for this site. Links point to local pages and copies of files. Embeds of the
 * site's articles get their current title and excerpt. Fetched images get `data-asset`, `width` and `height`, so that
 * the site can insert its sizes. Audio and video play from local copies. Images, audio and video without a copy become
 * links, because the content security policy would block them.
 */
export function rewriteHtml(html: string, rewriting: HtmlResolvers): string {
  if (!REWRITTEN.test(html)) return html;
  const output: string[] = [];
  /** The element whose content is skipped, and the HTML that replaces it. */
  let skipped: { name: string; depth: number; end: string } | undefined;
  let player: Player | undefined;
  let links = 0;
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind !== 'text' && piece.name === 'a') links += piece.kind === 'open' ? 1 : -1;
    if (skipped) {
      if (piece.kind === 'text' || piece.name !== skipped.name) continue;
      skipped.depth += piece.kind === 'open' ? 1 : -1;
      if (skipped.depth > 0) continue;
      output.push(skipped.end);
      skipped = undefined;
    } else if (player) {
      if (piece.kind === 'open') player.parts.push(piece);
      if (piece.kind !== 'close' || piece.name !== player.tag.name) continue;
      output.push(writePlayer(player, rewriting, links > 0));
      player = undefined;
    } else if (piece.kind !== 'open') output.push(piece.kind === 'text' || isAllowed(piece.name) ? piece.source : '');
    else if (piece.name === 'audio' || piece.name === 'video') player = { tag: piece, parts: [] };
    else if (piece.name === 'img') output.push(writeImage(piece, rewriting, links > 0));
    else if (piece.name === 'a') {
      const link = writeLink(piece, rewriting);
      output.push(link.tag);
      if (link.text !== undefined) skipped = { name: 'a', depth: 1, end: `${escapeHtml(link.text)}</a>` };
    } else if (isAllowed(piece.name)) output.push(piece.source);
  }
  return output.join('');
}

const ADDRESS = /(?:href|src|poster)="([^"]*)"/g;

/** Returns all inputs of `rewriteHtml`: an equal basis gives equal HTML. Faster than rewriting. */
export function rewritingBasis(html: string, rewriting: HtmlResolvers): unknown {
  if (!REWRITTEN.test(html)) return html;
  const addresses = new Set([...html.matchAll(ADDRESS)].map(([, address = '']) => decodeHtml(address)));
  const hasEmbeds = html.includes('data-embed');
  const resolved = [...addresses].map((address) => {
    const path = rewriting.resolveLink(address);
    const article = hasEmbeds && path !== undefined && rewriting.findArticle(path);
    return [path, article, rewriting.findFile(address), rewriting.findImage(address, '')];
  });
  return [html, resolved];
}

/** Checks the elements again, because the snapshot may come from another source than the sync. */
function isAllowed(name: string): boolean {
  return ELEMENTS[name]?.fate === 'kept' || MATH_TAGS.includes(name);
}

/** @returns The start tag, and a new link text if it changes. */
function writeLink(piece: StartTag, rewriting: HtmlResolvers): { tag: string; text?: string } {
  const { name, attributes, source } = piece;
  const href = attributes.get('href');
  if (href === undefined || href.startsWith('#')) return { tag: source };
  const path = rewriting.resolveLink(href);
  if (path === undefined) {
    const image = rewriting.findImage(href, '');
    const file = rewriting.findFile(href) ?? (image && linkedImagePath(image));
    if (file !== undefined) attributes.set('href', file);
    return { tag: file === undefined ? source : openTag(name, attributes) };
  }
  attributes.set('href', path);
  const isEmbed = attributes.has('data-embed');
  // Attributes for a foreign address don't apply to a local one.
  for (const foreign of ['data-embed', 'download', 'rel', 'target']) attributes.delete(foreign);
  const article = isEmbed ? rewriting.findArticle(path) : undefined;
  if (!article) return { tag: openTag(name, attributes) };
  const { title, excerpt, featured } = article;
  const card = {
    href: path,
    'data-embed': LOCAL_EMBED,
    'data-excerpt': excerpt,
    ...(featured && imageAttributes(featured)),
  };
  return { tag: openTag(name, new Map(Object.entries(card))), text: title };
}

/** @param isInLink True if a link can't be inserted. */
function writeImage({ name, attributes }: StartTag, { findImage }: HtmlResolvers, isInLink: boolean): string {
  const [src = '', alt = ''] = [attributes.get('src'), attributes.get('alt')];
  const image = findImage(src, alt);
  if (!image) return writeSource(src, alt || documentFileName(src), isInLink);
  // A placeholder or a tracking pixel.
  if (image.width === 1 && image.height === 1) return '';
  for (const sized of ['sizes', 'srcset']) attributes.delete(sized);
  for (const [attribute, value] of Object.entries(imageAttributes(image))) attributes.set(attribute, value);
  return openTag(name, attributes);
}

function imageAttributes({ digest, width, height, animation }: ImageAsset): Record<string, string> {
  const imageMarks = { 'data-asset': digest, width: String(width), height: String(height) };
  return animation === undefined ? imageMarks : { ...imageMarks, 'data-animation': animation };
}

interface Player {
  tag: StartTag;
  /** Sources and tracks. */
  parts: StartTag[];
}

/** Writes a player with the local copies, or a link to the source if there are none. */
function writePlayer({ tag, parts }: Player, { findFile, findImage }: HtmlResolvers, isInLink: boolean): string {
  const { name, attributes } = tag;
  const localise = ({ name: part, attributes: trackAttributes }: StartTag): string[] => {
    const path = findFile(trackAttributes.get('src') ?? '');
    return path === undefined ? [] : [openTag(part, new Map(trackAttributes).set('src', path))];
  };
  const addresses = [tag, ...parts.filter((part) => part.name === 'source')].flatMap(
    (part) => part.attributes.get('src') ?? [],
  );
  const src = attributes.get('src');
  const path = src === undefined ? undefined : findFile(src);
  const sources = parts.filter((part) => part.name === 'source').flatMap(localise);
  if (path === undefined && sources.length === 0) {
    const [address = ''] = addresses;
    return writeSource(address, attributes.get('aria-label') ?? address, isInLink);
  }
  if (path === undefined) attributes.delete('src');
  else attributes.set('src', path);
  const poster = findImage(attributes.get('poster') ?? '', '');
  if (poster === undefined) attributes.delete('poster');
  else attributes.set('poster', pictureSources(poster, 'figure').src);
  const tracks = parts.filter((part) => part.name === 'track').flatMap(localise);
  return [openTag(name, attributes), ...sources, ...tracks, `</${name}>`].join('');
}

/** Writes a link to the source of a file, styled as external content. Inside a link, writes only the label. */
function writeSource(address: string, label: string, isInLink: boolean): string {
  const url = URL.parse(address);
  if (!url) return '';
  if (isInLink) return escapeHtml(label);
  const link = { href: address, 'data-embed': url.hostname.replace(/^www\./, '') };
  return `${openTag('a', new Map(Object.entries(link)))}${escapeHtml(label)}</a>`;
}
