import { OF_THIS_SITE } from '#catalogue/journal/enrich-html.ts';
import { documentFileName } from '#catalogue/documents/document-file-name.ts';
import { linkedImagePath, pictureSources } from '#catalogue/pictures/picture-sources.ts';
import { decodeHtml, ELEMENTS, escapeHtml, htmlPieces, MATH, openTag, type HtmlPiece } from '#contracts/html/index.ts';
import type { ImageAsset } from '#model/entries.ts';

export interface HtmlRewriting {
  /** The new address of a link, or undefined to leave it. */
  resolveLink: (href: string) => string | undefined;
  /** The fetched image behind an address. */
  findImage: (src: string, alt: string) => ImageAsset | undefined;
  /** The path of the copy of a file in this site. */
  findFile: (address: string) => string | undefined;
  /** The article at a path of this site. */
  findArticle: (path: string) => EmbeddedArticle | undefined;
}

/** What a card shows of an article. */
export interface EmbeddedArticle {
  title: string;
  excerpt: string;
  featured: ImageAsset | undefined;
}

type StartTag = Extract<HtmlPiece, { kind: 'open' }>;

const REWRITTEN = /<(?:a|img|audio|video)\b/;

/**
 * Leads links into this site, to its pages and to its copies of files, says at embeds of its own articles what there is
 * to show, and marks images whose original was fetched with `data-asset`, `width` and `height`, for the site to put its
 * own sizes in. Audio and video play from this site. Images, audio and video that it has no copy of become a link to
 * their source: the page's content security policy would block them. Everything else stays as it is: the sync has
 * sanitised it.
 */
export function rewriteHtml(html: string, rewriting: HtmlRewriting): string {
  if (!REWRITTEN.test(html)) return html;
  const written: string[] = [];
  /** The element whose content is left out: something else stands for it. */
  let left: { name: string; depth: number; end: string } | undefined;
  let player: Player | undefined;
  let links = 0;
  for (const piece of htmlPieces(html)) {
    if (piece.kind !== 'text' && piece.name === 'a') links += piece.kind === 'open' ? 1 : -1;
    if (left) {
      if (piece.kind === 'text' || piece.name !== left.name) continue;
      left.depth += piece.kind === 'open' ? 1 : -1;
      if (left.depth > 0) continue;
      written.push(left.end);
      left = undefined;
    } else if (player) {
      if (piece.kind === 'open') player.parts.push(piece);
      if (piece.kind !== 'close' || piece.name !== player.tag.name) continue;
      written.push(writePlayer(player, rewriting, links > 0));
      player = undefined;
    } else if (piece.kind !== 'open') written.push(piece.kind === 'text' || isKept(piece.name) ? piece.source : '');
    else if (piece.name === 'audio' || piece.name === 'video') player = { tag: piece, parts: [] };
    else if (piece.name === 'img') written.push(writeImage(piece, rewriting, links > 0));
    else if (piece.name === 'a') {
      const link = writeLink(piece, rewriting);
      written.push(link.tag);
      if (link.text !== undefined) left = { name: 'a', depth: 1, end: `${escapeHtml(link.text)}</a>` };
    } else if (isKept(piece.name)) written.push(piece.source);
  }
  return written.join('');
}

const ADDRESS = /(?:href|src|poster)="([^"]*)"/g;

/** Everything that the result of `rewriteHtml` depends on: same basis, same HTML. Faster to find than the HTML itself. */
export function rewritingBasis(html: string, rewriting: HtmlRewriting): unknown {
  if (!REWRITTEN.test(html)) return html;
  const addresses = new Set([...html.matchAll(ADDRESS)].map(([, address = '']) => decodeHtml(address)));
  const hasEmbeds = html.includes('data-embed');
  const answers = [...addresses].map((address) => {
    const path = rewriting.resolveLink(address);
    const article = hasEmbeds && path !== undefined && rewriting.findArticle(path);
    return [path, article, rewriting.findFile(address), rewriting.findImage(address, '')];
  });
  return [html, answers];
}

/** The sync lets nothing else through; whoever wrote the snapshot. */
function isKept(name: string): boolean {
  return ELEMENTS[name]?.fate === 'kept' || MATH.includes(name);
}

/** @returns The start tag, and the text of the link where it is another one. */
function writeLink(piece: StartTag, rewriting: HtmlRewriting): { tag: string; text?: string } {
  const { name, attributes, source } = piece;
  const href = attributes.get('href');
  if (href === undefined || href.startsWith('#')) return { tag: source };
  const path = rewriting.resolveLink(href);
  if (path === undefined) {
    const file = rewriting.findFile(href) ?? pathOfImage(rewriting.findImage(href, ''));
    if (file !== undefined) attributes.set('href', file);
    return { tag: file === undefined ? source : openTag(name, attributes) };
  }
  attributes.set('href', path);
  const isEmbed = attributes.has('data-embed');
  // What was said of a foreign address doesn't hold for one of our own.
  for (const foreign of ['data-embed', 'download', 'rel', 'target']) attributes.delete(foreign);
  const article = isEmbed ? rewriting.findArticle(path) : undefined;
  if (!article) return { tag: openTag(name, attributes) };
  const { title, excerpt, featured } = article;
  const card = { href: path, 'data-embed': OF_THIS_SITE, 'data-excerpt': excerpt, ...(featured && marksOf(featured)) };
  return { tag: openTag(name, new Map(Object.entries(card))), text: title };
}

function pathOfImage(image: ImageAsset | undefined): string | undefined {
  return image && linkedImagePath(image);
}

/** @param isInLink True if it can't become a link. */
function writeImage({ name, attributes }: StartTag, { findImage }: HtmlRewriting, isInLink: boolean): string {
  const [src = '', alt = ''] = [attributes.get('src'), attributes.get('alt')];
  const image = findImage(src, alt);
  if (!image) return writeSource(src, alt || documentFileName(src), isInLink);
  // A placeholder or a counter of visits.
  if (image.width === 1 && image.height === 1) return '';
  for (const sized of ['sizes', 'srcset']) attributes.delete(sized);
  for (const [attribute, value] of Object.entries(marksOf(image))) attributes.set(attribute, value);
  return openTag(name, attributes);
}

function marksOf({ digest, width, height, animation }: ImageAsset): Record<string, string> {
  const marks = { 'data-asset': digest, width: String(width), height: String(height) };
  return animation === undefined ? marks : { ...marks, 'data-animation': animation };
}

interface Player {
  tag: StartTag;
  /** Sources and tracks. */
  parts: StartTag[];
}

/** With what this site has copies of; a link to the source where it has none of it. */
function writePlayer({ tag, parts }: Player, { findFile, findImage }: HtmlRewriting, isInLink: boolean): string {
  const { name, attributes } = tag;
  const localise = ({ name: part, attributes: of }: StartTag): string[] => {
    const path = findFile(of.get('src') ?? '');
    return path === undefined ? [] : [openTag(part, new Map(of).set('src', path))];
  };
  const addresses = [tag, ...parts.filter((part) => part.name === 'source')].flatMap(
    (part) => part.attributes.get('src') ?? [],
  );
  const own = attributes.get('src');
  const path = own === undefined ? undefined : findFile(own);
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

/** A link to the source of a file, shown like content of another site; only its label where there is a link already. */
function writeSource(address: string, label: string, isInLink: boolean): string {
  const url = URL.parse(address);
  if (!url) return '';
  if (isInLink) return escapeHtml(label);
  const link = { href: address, 'data-embed': url.hostname.replace(/^www\./, '') };
  return `${openTag('a', new Map(Object.entries(link)))}${escapeHtml(label)}</a>`;
}
