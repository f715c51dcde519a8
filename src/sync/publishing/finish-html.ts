import {
  CLOSED,
  htmlIds,
  htmlPieces,
  ID_PREFIX,
  ID_LISTS,
  INLINE,
  MATH,
  openTag,
  prefixedId,
} from '#contracts/html/index.ts';
import { trimEndOf } from '#contracts/index.ts';
import { BACKGROUND } from './clean-attributes.ts';

/** An open element. */
interface Open {
  name: string;
  /** Index of its start tag in the output; undefined if it was not written. */
  at: number | undefined;
  /** True if it only separates texts. */
  isBare: boolean;
  /** Shown on a card of its own, outside the lines of text. */
  isCard: boolean;
  /** True if it is shown already, outside of the `noscript` that it is in. */
  isCopy: boolean;
  /** True if it contains text directly. */
  hasText: boolean;
  /** True if anything in it is shown. */
  hasContent: boolean;
  /** True if an image, video or the like in it had no usable address. */
  hasLost: boolean;
  /** Audio and video: true if there is a file to play. */
  hasFile: boolean;
  /** Address of the first usable source of a `picture`. */
  source?: string | undefined;
}

/** Things that pages show or play. */
export type MediaKind = 'image' | 'video' | 'audio file' | 'frame';

/** Tags that mean nothing without attributes. */
const EMPTY = new Set(['a', 'div', 'span']);
const PLAYERS = new Set(['audio', 'video']);
/** Attributes of links only. */
const OF_LINKS = ['href', 'hreflang', 'download', 'aria-label', 'data-embed'];
/** They belong to a player only as its direct children. */
const OF_PLAYERS = new Set(['source', 'track']);
/** Elements of which only the content is written. */
const UNWRAPPED = new Set(['noscript', 'picture']);
/** Elements that are removed if an image or the like was all that they contained, and it is lost. */
const EMPTIED = new Set(['li', 'ol', 'p', 'ul']);

/**
 * The second half of sanitising, on HTML that only holds what is allowed: IDs get their prefix, links within the text
 * follow them, and what has become meaningless is removed: links to nowhere, pictures and players without a file, and
 * figures and links without content, and `div` and `span` that neither separate texts nor describe them. So are the copies
 * of images, videos and frames in `noscript`, which lazy-load plug-ins add. Takes linear time.
 */
export function finishHtml(html: string, { base, idPrefix = ID_PREFIX }: FinishHtmlOptions): FinishedHtml {
  const ids = renameIds(html, idPrefix);
  const finished = finish(html, ids, base);
  const present = htmlIds(finished.html);
  const kept = new Map([...ids].filter(([, name]) => present.has(name)));
  // Elements with an ID may have been removed, such as the fallback of a video: then links to them are removed too.
  return kept.size === ids.size ? finished : finish(html, kept, base);
}

export interface FinishedHtml {
  html: string;
  /** How many images, videos and audio files have no usable address. */
  lost: Map<MediaKind, number>;
}

function finish(html: string, ids: ReadonlyMap<string, string>, base: string | undefined): FinishedHtml {
  const used = new Set<string>();
  const written: string[] = [];
  const stack: Open[] = [];
  const lost = new Map<MediaKind, number>();
  const shown = countShown(html);
  let noscripts = 0;
  /** The player whose fallback is being read: it is not needed, because the file plays here. */
  let player: Open | undefined;

  const count = (kind: MediaKind, by: number): void => void lost.set(kind, (lost.get(kind) ?? 0) + by);
  const lose = (kind: MediaKind, parent: Open | undefined): void => {
    if (noscripts === 0) count(kind, 1);
    if (parent) parent.hasLost = true;
  };

  /** True once for each time that the same is shown outside of `noscript`. */
  const isShownTwice = (name: string, attributes: ReadonlyMap<string, string>): boolean => {
    const key = noscripts > 0 ? keyOf(name, attributes) : undefined;
    const left = key === undefined ? 0 : (shown.get(key) ?? 0);
    if (key !== undefined && left > 0) shown.set(key, left - 1);
    return left > 0;
  };

  const addImage = (attributes: Map<string, string>): void => {
    const parent = stack.at(-1);
    const source = parent?.name === 'picture' ? parent.source : undefined;
    if (source !== undefined && !attributes.has('src')) attributes.set('src', source);
    if (isTrackingPixel(attributes) || isShownTwice('img', attributes)) return;
    if (!attributes.has('src')) return lose('image', parent);
    written.push(openTag('img', attributes));
    if (parent) parent.hasContent = true;
    // One of those without an address is the placeholder of this one.
    if (noscripts > 0 && lost.get('image')) count('image', -1);
  };

  const begin = (name: string, attributes: Map<string, string>): void => {
    const parent = stack.at(-1);
    const unwritten = { at: undefined, isBare: false, isCard: false, isCopy: false };
    const empty = { hasText: false, hasContent: false, hasLost: false, hasFile: false };
    if (UNWRAPPED.has(name)) {
      if (name === 'noscript') noscripts += 1;
      stack.push({ name, ...unwritten, ...empty });
      return;
    }
    if (OF_PLAYERS.has(name)) {
      if (parent?.name === 'picture') parent.source ??= attributes.get('src');
      if (!parent || !PLAYERS.has(parent.name) || !attributes.has('src')) return;
      if (!parent.hasFile && name === 'source') {
        parent.hasFile = true;
        player ??= parent;
        if (player === parent && parent.at !== undefined) written.length = parent.at + 1;
      }
      if (player === parent) written.push(openTag(name, attributes));
      return;
    }
    const isSilenced = player !== undefined;
    const background = attributes.get(BACKGROUND);
    const alt = attributes.get('alt') ?? '';
    if (name !== 'img') for (const internal of [BACKGROUND, 'alt']) attributes.delete(internal);
    if (!isSilenced) adjust(attributes);
    if (CLOSED.has(name)) {
      if (isSilenced) return;
      if (name === 'img') return addImage(attributes);
      written.push(openTag(name, attributes));
      if (name === 'hr' && parent) parent.hasContent = true;
      return;
    }
    const isBare = attributes.size === 0 && EMPTY.has(name);
    const hasFile = PLAYERS.has(name) && attributes.has('src');
    const isCard = attributes.has('data-embed');
    const isCopy = isShownTwice(name, attributes);
    const at = isSilenced ? undefined : written.length;
    const element = { name, at, isBare, isCard, isCopy, ...empty, hasFile };
    if (!isSilenced) written.push(openTag(name, attributes));
    stack.push(element);
    if (hasFile) player ??= element;
    if (background !== undefined && !isSilenced)
      addImage(
        new Map([
          ['src', background],
          ['alt', alt],
        ]),
      );
  };

  const end = (name: string): void => {
    const element = stack.at(-1);
    if (element?.name !== name) return;
    stack.pop();
    const { at, isBare, isCard, isCopy, hasText, hasFile } = element;
    const parent = stack.at(-1);
    if (name === 'noscript') noscripts -= 1;
    if (player === element) player = undefined;
    const isMute = PLAYERS.has(name) && !hasFile;
    if (isMute && at !== undefined) lose(name === 'video' ? 'video' : 'audio file', parent);
    const hasContent = element.hasContent || hasFile;
    const isMeaningless =
      name === 'figure' || (name === 'a' && !isAnchor(at)) || (EMPTIED.has(name) && element.hasLost);
    if (parent) parent.hasLost ||= element.hasLost;
    if (at !== undefined && (isCopy || (isMeaningless && !hasContent))) {
      written.length = at;
      return;
    }
    if (parent) parent.hasContent ||= hasContent;
    const isInLine = IN_LINE.has(name) || UNWRAPPED.has(name);
    if (parent && hasText && !isCard && isInLine) parent.hasText = true;
    if (at === undefined) return;
    const isNeedless = isBare && !(name === 'div' && hasText);
    if (isMute || isNeedless) written[at] = '';
    else written.push(`</${name}>`);
  };

  /** True if links lead to the element that starts there. */
  const isAnchor = (at: number | undefined): boolean => at !== undefined && / id="/.test(written[at] ?? '');

  /** Anchors and links as they are on this page. */
  const adjust = (attributes: Map<string, string>): void => {
    const id = attributes.get('id');
    const renamed = id === undefined ? undefined : ids.get(id);
    if (renamed === undefined || used.has(renamed)) attributes.delete('id');
    else attributes.set('id', used.add(renamed) && renamed);
    for (const list of ID_LISTS) {
      const named = attributes.get(list);
      if (named === undefined) continue;
      const found = named.split(/\s+/).flatMap((one) => ids.get(one) ?? []);
      if (found.length > 0) attributes.set(list, found.join(' '));
      else attributes.delete(list);
    }
    const fragment = fragmentOf(attributes.get('href'), base);
    if (fragment === undefined) return;
    const target = ids.get(fragment) ?? ids.get(decoded(fragment));
    if (target === undefined) for (const name of OF_LINKS) attributes.delete(name);
    else attributes.set('href', `#${target}`);
  };

  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'open') begin(piece.name, piece.attributes);
    else if (piece.kind === 'close') end(piece.name);
    else if (player === undefined) {
      const parent = stack.at(-1);
      if (parent && /\S/.test(piece.source)) parent.hasText = parent.hasContent = true;
      written.push(piece.source);
    }
  }
  return { html: separateLinks(written.join('')), lost };
}

/**
 * Puts a space between links with nothing in between, as in the file block with its name and its button: themes keep
 * them apart. Two of one address are halves of a word, unless the second is such a button.
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

/** Identifies what an element shows, across the sizes of an image. */
function keyOf(name: string, attributes: ReadonlyMap<string, string>): string | undefined {
  const address = name === 'a' ? attributes.has('data-embed') && attributes.get('href') : attributes.get('src');
  return address ? address.replace(/^https?:|[?#].*$/gs, '').replace(/-\d+x\d+(?=\.\w+$)/, '') : undefined;
}

/** How often what `noscript` may repeat is shown outside of it; empty if there is none. */
function countShown(html: string): Map<string, number> {
  const shown = new Map<string, number>();
  if (!html.includes('<noscript')) return shown;
  let noscripts = 0;
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') continue;
    if (piece.name === 'noscript') noscripts += piece.kind === 'open' ? 1 : -1;
    if (piece.kind === 'close' || noscripts > 0 || piece.attributes.has('hidden')) continue;
    const background = piece.attributes.get(BACKGROUND);
    const key = keyOf(piece.name, background === undefined ? piece.attributes : new Map([['src', background]]));
    if (key !== undefined) shown.set(key, (shown.get(key) ?? 0) + 1);
  }
  return shown;
}

const IN_LINE: ReadonlySet<string> = new Set([...INLINE, ...MATH]);

/** Tracking pixels show nothing. */
function isTrackingPixel(attributes: ReadonlyMap<string, string>): boolean {
  return ['width', 'height'].every((side) => ['0', '1'].includes(attributes.get(side) ?? ''));
}

/** The anchor in this text that a link points to, also via the text's own address; undefined if it points elsewhere. */
function fragmentOf(href: string | undefined, base: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  if (href.startsWith('#')) return href.slice(1);
  const at = href.indexOf('#');
  if (at < 0 || base === undefined || pageOf(href) !== pageOf(base)) return undefined;
  return href.slice(at + 1);
}

/** An address without the parts that may differ for the same page. */
function pageOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname, search } = new URL(address);
  return host.replace(/^www\./, '') + trimEndOf(pathname, '/') + search;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

export interface FinishHtmlOptions {
  /** Address that relative ones are made absolute against; without it they stay relative. */
  base?: string | undefined;
  /**
   * Prefix of IDs, so that none is that of another element or text on the page.
   * @default 'user-content-'
   */
  idPrefix?: string;
}

/**
 * The ids of allowed HTML, and what they are called in a page: with the prefix, unless they have it, and each only
 * once. Of a repeated ID, the first element counts, as in a browser.
 */
function renameIds(html: string, prefix: string): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  // The next suffix per text (`-2`, `-3`, ...), so that a thousand equal IDs take a thousand steps.
  const counts = new Map<string, number>();
  for (const id of htmlIds(html)) {
    const wanted = prefixedId(id, prefix);
    let name = wanted;
    for (let n = counts.get(wanted) ?? 2; taken.has(name); n += 1) {
      name = `${wanted}-${n}`;
      counts.set(wanted, n + 1);
    }
    taken.add(name);
    ids.set(id, name);
  }
  return ids;
}
