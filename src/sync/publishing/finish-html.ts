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

/** An open element. */
interface Open {
  name: string;
  /** Index of its start tag in the output; undefined if it was not written. */
  at: number | undefined;
  /** Whether it only separates texts. */
  isBare: boolean;
  /** Shown on a card of its own, outside the lines of text. */
  isCard: boolean;
  /** Whether it contains text of its own. */
  hasText: boolean;
  /** Audio and video: whether there is a file to play. */
  hasFile: boolean;
}

/** Tags that mean nothing without attributes. */
const EMPTY = new Set(['a', 'div', 'span']);
const PLAYERS = new Set(['audio', 'video']);
/** Attributes of links only. */
const OF_LINKS = ['href', 'hreflang', 'download', 'aria-label', 'data-embed'];
/** They belong to a player only as its direct children. */
const OF_PLAYERS = new Set(['source', 'track']);

/**
 * The second half of sanitising, on HTML that only holds what is allowed: IDs get their prefix, links within the text
 * follow them, and what has become meaningless is removed: links to nowhere, pictures and players without a file, and
 * `div` and `span` that neither separate texts nor describe them. Takes linear time.
 */
export function finishHtml(html: string, { base, idPrefix = ID_PREFIX }: SanitiseHtmlOptions): string {
  const ids = renameIds(html, idPrefix);
  const finished = finish(html, ids, base);
  const present = htmlIds(finished);
  const kept = new Map([...ids].filter(([, name]) => present.has(name)));
  // Elements with an ID may have been removed, such as the fallback of a video: then links to them are removed too.
  return kept.size === ids.size ? finished : finish(html, kept, base);
}

function finish(html: string, ids: ReadonlyMap<string, string>, base: string | undefined): string {
  const used = new Set<string>();
  const written: string[] = [];
  const stack: Open[] = [];
  /** The player whose fallback is being read: it is not needed, because the file plays here. */
  let player: Open | undefined;

  const begin = (name: string, attributes: Map<string, string>): void => {
    const parent = stack.at(-1);
    if (OF_PLAYERS.has(name)) {
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
    if (!isSilenced) adjust(attributes);
    const isLost = name === 'img' && (!attributes.has('src') || isTrackingPixel(attributes));
    const isWritten = !isSilenced && !isLost;
    if (CLOSED.has(name)) {
      if (isWritten) written.push(openTag(name, attributes));
      return;
    }
    const isBare = attributes.size === 0 && EMPTY.has(name);
    const hasFile = PLAYERS.has(name) && attributes.has('src');
    const isCard = attributes.has('data-embed');
    const element = { name, at: isWritten ? written.length : undefined, isBare, isCard, hasText: false, hasFile };
    if (isWritten) written.push(openTag(name, attributes));
    stack.push(element);
    if (hasFile) player ??= element;
  };

  const end = (name: string): void => {
    const element = stack.at(-1);
    if (element?.name !== name) return;
    stack.pop();
    const { at, isBare, isCard, hasText, hasFile } = element;
    const parent = stack.at(-1);
    if (parent && hasText && !isCard && IN_LINE.has(name)) parent.hasText = true;
    if (player === element) player = undefined;
    if (at === undefined) return;
    const isMute = PLAYERS.has(name) && !hasFile;
    const isNeedless = isBare && !(name === 'div' && hasText);
    if (isMute || isNeedless) written[at] = '';
    else written.push(`</${name}>`);
  };

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
      if (parent && /\S/.test(piece.source)) parent.hasText = true;
      written.push(piece.source);
    }
  }
  return written.join('');
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

export interface SanitiseHtmlOptions {
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
