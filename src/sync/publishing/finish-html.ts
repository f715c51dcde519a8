import {
  PRESERVED_VOID,
  htmlIds,
  tokenizeHtml,
  ID_PREFIX,
  openTag,
  prefixedId,
  ID_LISTS,
  INLINE_TAGS,
  MATH_TAGS,
} from '#contracts/html/html-text.ts';
import { decodePercent, trimTrailing, withoutUserInfo } from '#contracts/index.ts';
import { BACKGROUND_ATTRIBUTE } from './clean-attributes.ts';

const ANYWHERE = ['b', 'code', 'em', 'i', 'kbd', 'mark', 's', 'small', 'strong', 'sub', 'sup', 'u'];
const BLOCKS = ['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'dl', 'pre', 'blockquote', 'table'];
/** Elements that may contain blocks; the empty name is the text itself. */
const BLOCK_PARENTS = ['', 'li', 'dd', 'td', 'th', 'blockquote'];

/** Element -> allowed parents; undefined for any. */
const ALLOWED_PARENTS: ReadonlyMap<string, ReadonlySet<string> | undefined> = new Map([
  ...ANYWHERE.map((name) => [name, undefined] as const),
  ...BLOCKS.map((name) => [name, new Set(BLOCK_PARENTS)] as const),
  ['li', new Set(['ul', 'ol'])],
  ['dt', new Set(['dl'])],
  ['dd', new Set(['dl'])],
  ['thead', new Set(['table'])],
  ['tbody', new Set(['table'])],
  ['tr', new Set(['thead', 'tbody'])],
  ['th', new Set(['tr'])],
  ['td', new Set(['tr'])],
]);

/** Lower than the limit of the sanitiser. */
const MAX_DEPTH = 32;

/** Matches tags without attributes, entities that stay, and all other special characters. */
const MARKUP = /<(\/?)([a-z][a-z0-9]{0,9})>|<br \/>|&(?:amp|lt|gt);|[<>&]/g;

/**
 * True if HTML consists of text and simple, balanced elements without attributes. The sanitiser would return it
 * unchanged, but takes thirty times as long. Unrecognised HTML is sanitised.
 */
export function isPlainHtml(html: string): boolean {
  const open: string[] = [];
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(html); match; match = MARKUP.exec(html)) {
    const [source, slash, name] = match;
    if (name === undefined) {
      if (source.length === 1) return false;
    } else if (slash) {
      if (open.pop() !== name) return false;
    } else {
      if (!ALLOWED_PARENTS.has(name) || open.length >= MAX_DEPTH) return false;
      if (ALLOWED_PARENTS.get(name)?.has(open.at(-1) ?? '') === false) return false;
      open.push(name);
    }
  }
  return open.length === 0;
}

/** Providers whose iframes and pages have different addresses: the page's address ends with the capture of `frame`. */
const PROVIDERS: readonly { host: RegExp; name: string; frame?: RegExp; page?: string }[] = [
  {
    host: /(^|\.)youtube(-nocookie)?\.com$/,
    name: 'YouTube',
    frame: /^\/embed\/([\w-]{6,})/,
    page: 'https://www.youtube.com/watch?v=',
  },
  { host: /(^|\.)youtu\.be$/, name: 'YouTube' },
  { host: /(^|\.)vimeo\.com$/, name: 'Vimeo', frame: /^\/video\/(\d+)/, page: 'https://vimeo.com/' },
  {
    host: /(^|\.)spotify\.com$/,
    name: 'Spotify',
    frame: /^\/embed\/(\w+\/\w+)/,
    page: 'https://open.spotify.com/',
  },
  { host: /(^|\.)soundcloud\.com$/, name: 'SoundCloud' },
];

/**
 * Creates the link for an iframe; undefined if its address is unusable.
 * @returns `href`: address of the page for visitors. `provider`: its name, such as `YouTube`, or its host.
 */
export function describeEmbed(address: string, base?: string): { href: string; provider: string } | undefined {
  const frame = URL.parse(address, base);
  if (!frame || !/^https?:$/.test(frame.protocol)) return undefined;
  const known = PROVIDERS.find(({ host }) => host.test(frame.hostname));
  const id = known?.frame?.exec(frame.pathname)?.[1];
  return {
    href: known?.page && id ? known.page + id : withoutUserInfo(frame.href),
    provider: known?.name ?? frame.hostname.replace(/^www\./, ''),
  };
}

/** An open element. */
interface OpenElement {
  name: string;
  /** Index of its start tag in the output; undefined if it was not written. */
  at: number | undefined;
  /** True if the element only separates texts. */
  isBare: boolean;
  /** True if the element is shown as a card, outside of running text. */
  isCard: boolean;
  /** True if the element duplicates one outside of its `noscript`. */
  isCopy: boolean;
  /** True if it contains text directly. */
  hasText: boolean;
  /** True if it has visible content. */
  hasContent: boolean;
  /** True if an image, video or audio file in it had no usable address. */
  hasLost: boolean;
  /** Audio and video: true if there is a file to play. */
  hasFile: boolean;
  /** Address of the first usable source of a `picture`. */
  source?: string | undefined;
}

/** Kinds of media that pages show or play. */
export type MediaKind = 'image' | 'video' | 'audio file' | 'frame';

/** Tags without a meaning unless they have attributes. */
const MEANINGLESS = new Set(['a', 'div', 'span']);
const PLAYERS = new Set(['audio', 'video']);
const LINK_ATTRIBUTES = ['href', 'hreflang', 'download', 'aria-label', 'data-embed'];
/** Elements that belong to a player only as its direct children. */
const PLAYER_CHILDREN = new Set(['source', 'track']);
/** Elements that are replaced by their content. */
const UNWRAPPED = new Set(['noscript', 'picture']);
/** Elements that are removed if they only contained media that are lost. */
const REMOVED_IF_LOST = new Set(['li', 'ol', 'p', 'ul']);

/**
 * Finishes the sanitising of allowed HTML. Prefixes IDs and updates links to them. Removes links to nowhere, images and
 * players without a file, empty figures and links, and meaningless `div` and `span`. Also removes duplicates in
 * `noscript`, which lazy-load plugins add. Takes linear time.
 * @returns `lost`: number of images, videos and audio files without a usable address.
 */
export function finishHtml(html: string, { base, idPrefix = ID_PREFIX }: FinishHtmlOptions) {
  const ids = renameIds(html, idPrefix);
  const finished = finish(html, ids, base);
  const present = htmlIds(finished.html);
  const remaining = new Map([...ids].filter(([, name]) => present.has(name)));
  // Elements with an ID, such as the fallback of a video, may have been removed. Then links to them are removed, too.
  return remaining.size === ids.size ? finished : finish(html, remaining, base);
}

function finish(html: string, ids: ReadonlyMap<string, string>, base: string | undefined) {
  const used = new Set<string>();
  const output: string[] = [];
  const stack: OpenElement[] = [];
  const lost = new Map<MediaKind, number>();
  const visible = countVisible(html);
  let noscripts = 0;
  /** The player whose fallback is being skipped, because the file is playable. */
  let player: OpenElement | undefined;

  const count = (kind: MediaKind, by: number): void => void lost.set(kind, (lost.get(kind) ?? 0) + by);
  const recordLost = (kind: MediaKind, parent: OpenElement | undefined): void => {
    if (noscripts === 0) count(kind, 1);
    if (parent) parent.hasLost = true;
  };

  /** Returns true once for each time that the same media is shown outside of `noscript`. */
  const isDuplicate = (name: string, attributes: ReadonlyMap<string, string>): boolean => {
    const key = noscripts > 0 ? keyOf(name, attributes) : undefined;
    const left = key === undefined ? 0 : (visible.get(key) ?? 0);
    if (key !== undefined && left > 0) visible.set(key, left - 1);
    return left > 0;
  };

  const addImage = (attributes: Map<string, string>): void => {
    const parent = stack.at(-1);
    const source = parent?.name === 'picture' ? parent.source : undefined;
    if (source !== undefined && !attributes.has('src')) attributes.set('src', source);
    if (isTrackingPixel(attributes) || isDuplicate('img', attributes)) return;
    if (!attributes.has('src')) return recordLost('image', parent);
    output.push(openTag('img', attributes));
    if (parent) parent.hasContent = true;
    // Another image without an address was the placeholder of this one.
    if (noscripts > 0 && lost.get('image')) count('image', -1);
  };

  const openElement = (name: string, attributes: Map<string, string>): void => {
    const parent = stack.at(-1);
    const notWritten = { at: undefined, isBare: false, isCard: false, isCopy: false };
    const empty = { hasText: false, hasContent: false, hasLost: false, hasFile: false };
    if (UNWRAPPED.has(name)) {
      if (name === 'noscript') noscripts += 1;
      stack.push({ name, ...notWritten, ...empty });
      return;
    }
    if (PLAYER_CHILDREN.has(name)) {
      if (parent?.name === 'picture') parent.source ??= attributes.get('src');
      if (!parent || !PLAYERS.has(parent.name) || !attributes.has('src')) return;
      if (!parent.hasFile && name === 'source') {
        parent.hasFile = true;
        player ??= parent;
        if (player === parent && parent.at !== undefined) output.length = parent.at + 1;
      }
      if (player === parent) output.push(openTag(name, attributes));
      return;
    }
    const isSkipped = player !== undefined;
    const background = attributes.get(BACKGROUND_ATTRIBUTE);
    const alt = attributes.get('alt') ?? '';
    if (name !== 'img') for (const internal of [BACKGROUND_ATTRIBUTE, 'alt']) attributes.delete(internal);
    if (!isSkipped) renameReferences(attributes);
    if (PRESERVED_VOID.has(name)) {
      if (isSkipped) return;
      if (name === 'img') return addImage(attributes);
      output.push(openTag(name, attributes));
      if (name === 'hr' && parent) parent.hasContent = true;
      return;
    }
    const isBare = attributes.size === 0 && MEANINGLESS.has(name);
    const hasFile = PLAYERS.has(name) && attributes.has('src');
    const isCard = attributes.has('data-embed');
    const isCopy = isDuplicate(name, attributes);
    const at = isSkipped ? undefined : output.length;
    const element = { name, at, isBare, isCard, isCopy, ...empty, hasFile };
    if (!isSkipped) output.push(openTag(name, attributes));
    stack.push(element);
    if (hasFile) player ??= element;
    if (background !== undefined && !isSkipped)
      addImage(
        new Map([
          ['src', background],
          ['alt', alt],
        ]),
      );
  };

  const closeElement = (name: string): void => {
    const element = stack.at(-1);
    if (element?.name !== name) return;
    stack.pop();
    const { at, isBare, isCard, isCopy, hasText, hasFile } = element;
    const parent = stack.at(-1);
    if (name === 'noscript') noscripts -= 1;
    if (player === element) player = undefined;
    const isEmptyPlayer = PLAYERS.has(name) && !hasFile;
    if (isEmptyPlayer && at !== undefined) recordLost(name === 'video' ? 'video' : 'audio file', parent);
    const hasContent = element.hasContent || hasFile;
    const isRemovable =
      name === 'figure' || (name === 'a' && !isAnchor(at)) || (REMOVED_IF_LOST.has(name) && element.hasLost);
    if (parent) parent.hasLost ||= element.hasLost;
    if (at !== undefined && (isCopy || (isRemovable && !hasContent))) {
      output.length = at;
      return;
    }
    if (parent) parent.hasContent ||= hasContent;
    const isInline = INLINE_ELEMENTS.has(name) || UNWRAPPED.has(name);
    if (parent && hasText && !isCard && isInline) parent.hasText = true;
    if (at === undefined) return;
    const isRedundant = isBare && !(name === 'div' && hasText);
    if (isEmptyPlayer || isRedundant) output[at] = '';
    else output.push(`</${name}>`);
  };

  /** True if links can point to the element that starts there. */
  const isAnchor = (at: number | undefined): boolean => at !== undefined && / id="/.test(output[at] ?? '');

  /** Renames IDs, and updates links and ID lists accordingly. */
  const renameReferences = (attributes: Map<string, string>): void => {
    const id = attributes.get('id');
    const renamed = id === undefined ? undefined : ids.get(id);
    if (renamed === undefined || used.has(renamed)) attributes.delete('id');
    else attributes.set('id', used.add(renamed) && renamed);
    for (const list of ID_LISTS) {
      const idList = attributes.get(list);
      if (idList === undefined) continue;
      const newIds = idList.split(/\s+/).flatMap((one) => ids.get(one) ?? []);
      if (newIds.length > 0) attributes.set(list, newIds.join(' '));
      else attributes.delete(list);
    }
    const fragment = fragmentOf(attributes.get('href'), base);
    if (fragment === undefined) return;
    const target = ids.get(fragment) ?? ids.get(decodePercent(fragment));
    if (target === undefined) for (const name of LINK_ATTRIBUTES) attributes.delete(name);
    else attributes.set('href', `#${target}`);
  };

  for (const piece of tokenizeHtml(html)) {
    if (piece.kind === 'open') openElement(piece.name, piece.attributes);
    else if (piece.kind === 'close') closeElement(piece.name);
    else if (player === undefined) {
      const parent = stack.at(-1);
      if (parent && /\S/.test(piece.source)) parent.hasText = parent.hasContent = true;
      output.push(piece.source);
    }
  }
  return { html: separateLinks(output.join('')), lost };
}

/**
 * Inserts a space between adjacent links, which themes separate visually, such as name and button of a file block.
 * Adjacent links to the same address are parts of a word, unless the second is a download button.
 */
export function separateLinks(html: string): string {
  let address: string | undefined;
  const addressOf = (tag: string) => /\shref="[^"]*"/.exec(tag)?.[0];
  return html.replace(/<a\b[^<>]*>|<\/a>(?=(<a\b[^<>]*>))/g, (tag, next?: string) => {
    if (next !== undefined) return addressOf(next) !== address || /\sdownload\b/.test(next) ? `${tag} ` : tag;
    address = addressOf(tag);
    return tag;
  });
}

/** Identifies the media of an element, across the sizes of an image. */
function keyOf(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const address = name === 'a' ? attributes.has('data-embed') && attributes.get('href') : attributes.get('src');
  return address ? address.replace(/^https?:|[?#].*$/gs, '').replace(/-\d+x\d+(?=\.\w+$)/, '') : undefined;
}

/** Counts the media outside of `noscript` that it may repeat; empty if there is no `noscript`. */
function countVisible(html: string): Map<string, number> {
  const visible = new Map<string, number>();
  if (!html.includes('<noscript')) return visible;
  let noscripts = 0;
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind === 'text') continue;
    if (piece.name === 'noscript') noscripts += piece.kind === 'open' ? 1 : -1;
    if (piece.kind === 'close' || noscripts > 0 || piece.attributes.has('hidden')) continue;
    const background = piece.attributes.get(BACKGROUND_ATTRIBUTE);
    const key = keyOf(piece.name, background === undefined ? piece.attributes : new Map([['src', background]]));
    if (key !== undefined) visible.set(key, (visible.get(key) ?? 0) + 1);
  }
  return visible;
}

const INLINE_ELEMENTS: ReadonlySet<string> = new Set([...INLINE_TAGS, ...MATH_TAGS]);

function isTrackingPixel(attributes: ReadonlyMap<string, string>): boolean {
  return ['width', 'height'].every((side) => ['0', '1'].includes(attributes.get(side) ?? ''));
}

/**
 * Returns the anchor in this text that a link points to, also by the text's full address. Undefined for other links.
 */
function fragmentOf(href: string | undefined, base: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  if (href.startsWith('#')) return href.slice(1);
  const at = href.indexOf('#');
  if (at < 0 || base === undefined || pageOf(href) !== pageOf(base)) return undefined;
  return href.slice(at + 1);
}

/** Normalises an address to identify its page. */
function pageOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  return host.replace(/^www\./, '') + trimTrailing(pathname, '/') + search;
}

export interface FinishHtmlOptions {
  /** Base address for relative ones; without it they stay relative. */
  base?: string | undefined;
  /**
   * Prefix of IDs, which prevents collisions with other elements and texts on the page.
   * @default 'user-content-'
   */
  idPrefix?: string;
}

/**
 * Maps the ids of allowed HTML to unique ids with the prefix. For a repeated ID, the first element counts, as in a
 * browser.
 */
function renameIds(html: string, prefix: string): Map<string, string> {
  const ids = new Map<string, string>();
  const usedNames = new Set<string>();
  // The next suffix per id (`-2`, `-3`, …), so that a thousand equal ids take a thousand steps.
  const counts = new Map<string, number>();
  for (const id of htmlIds(html)) {
    const prefixed = prefixedId(id, prefix);
    let name = prefixed;
    for (let n = counts.get(prefixed) ?? 2; usedNames.has(name); n += 1) {
      name = `${prefixed}-${n}`;
      counts.set(prefixed, n + 1);
    }
    usedNames.add(name);
    ids.set(id, name);
  }
  return ids;
}
