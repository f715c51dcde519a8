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

/** An element that has begun. */
interface Open {
  name: string;
  /** Where its start tag stands among what is written; undefined where it isn't. */
  at: number | undefined;
  /** Whether it has nothing to say but that it parts texts. */
  isBare: boolean;
  /** Stands on a card of its own, in no line of text. */
  isCard: boolean;
  /** Whether text of its own stands in it. */
  hasText: boolean;
  /** Audio and video: whether there is a file to play. */
  hasFile: boolean;
}

/** Tags that say nothing where nothing is said of them. */
const EMPTY = new Set(['a', 'div', 'span']);
const PLAYERS = new Set(['audio', 'video']);
/** What is said of a link only. */
const OF_LINKS = ['href', 'hreflang', 'download', 'aria-label', 'data-embed'];
/** Only where they stand there do they belong to a player. */
const OF_PLAYERS = new Set(['source', 'track']);

/**
 * The second half of sanitising, on HTML that only holds what is allowed: ids get their prefix, links within the text
 * lead there, and what no longer says anything goes: links to nowhere, pictures and players without a file, and `div`
 * and `span` that neither part texts nor say something of them. Takes time by the length.
 */
export function finishHtml(html: string, { base, idPrefix = ID_PREFIX }: SanitiseHtmlOptions): string {
  const ids = renameIds(html, idPrefix);
  const finished = finish(html, ids, base);
  const present = htmlIds(finished);
  const kept = new Map([...ids].filter(([, name]) => present.has(name)));
  // What had an id is gone, the fallback of a film for one: then so are the links that led there.
  return kept.size === ids.size ? finished : finish(html, kept, base);
}

function finish(html: string, ids: ReadonlyMap<string, string>, base: string | undefined): string {
  const used = new Set<string>();
  const written: string[] = [];
  const stack: Open[] = [];
  /** The player whose fallback is being read: it plays here, so nobody needs it. */
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

  /** Names and links as they are in this page. */
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

/** What counts visits elsewhere shows nothing. */
function isTrackingPixel(attributes: ReadonlyMap<string, string>): boolean {
  return ['width', 'height'].every((side) => ['0', '1'].includes(attributes.get(side) ?? ''));
}

/** The place in this text that a link leads to, also by the address of the text itself; undefined where it leads elsewhere. */
function fragmentOf(href: string | undefined, base: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  if (href.startsWith('#')) return href.slice(1);
  const at = href.indexOf('#');
  if (at < 0 || base === undefined || pageOf(href) !== pageOf(base)) return undefined;
  return href.slice(at + 1);
}

/** An address without what differs while the page is the same. */
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
   * What ids begin with: none is that of an element of the page, or that of another text on it.
   * @default 'user-content-'
   */
  idPrefix?: string;
}

/**
 * The ids of allowed HTML, and what they are called in a page: with the prefix, unless they have it, and each only
 * once. What holds an id twice is found by its first place, as in a browser.
 */
function renameIds(html: string, prefix: string): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  // Names for the same text after `-2`, `-3`: counted on, so that a thousand equal ones take a thousand steps.
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
