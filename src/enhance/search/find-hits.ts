import { productPath } from '#catalogue/addresses/paths.ts';
import {
  type SearchKind,
  SEARCH_KINDS,
  NUMBERS_LIST,
  searchNumbersFolder,
  type NumbersFile,
  type NumbersList,
} from '#catalogue/addresses/site-paths.ts';
import type { DirectoryRow } from '#catalogue/read-model/product-index.ts';
import { foldNumber, unpackNumbers } from '#catalogue/directory/fold-number.ts';
import { normQuery } from '#catalogue/norms/norm-base.ts';
import { readJson } from '../find-element.ts';
import { openPagefind, type TextHit } from './open-pagefind.ts';
import { extractDigits, parseGtin, type GtinProblem } from '#contracts/gtin.ts';

/** Maximum number of partial matches. */
const MAX_PARTIAL = 60;

export interface SearchResults {
  /** Path of the only product with exactly this number. */
  only: string | undefined;
  count: number;
  /** Problem with the number. */
  problem: NumberQuery['problem'];
  /** Returns a range of the hits. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** @returns A function that searches numbers and texts; data is loaded on demand. */
export function createSearch(
  language: string,
): (query: string, kind: SearchKind | undefined) => Promise<SearchResults> {
  const findNumbers = openNumbers(language);
  let texts: ReturnType<typeof openPagefind> | undefined;
  const openTexts = (): ReturnType<typeof openPagefind> => {
    texts ??= openPagefind(language);
    // Retries after a failure.
    texts.catch(() => (texts = undefined));
    return texts;
  };
  return async (query, kind) => {
    const number = kind === undefined || kind === 'product' ? numberQuery(query) : undefined;
    const { exact, partial } = number ? await findNumbers(number) : { exact: [], partial: [] };
    const [only] = exact;
    const first = [...exact, ...partial].map((row) => toHit(row, language));
    const known = new Set(first.map(({ url }) => url));
    // A sequence of digits occurs in no text other than those of the matching products.
    const isEnough = first.length > 0 && number?.digits !== undefined;
    const found = isEnough ? undefined : await (await openTexts())(normQuery(query), kind);
    const rest = found && known.size > 0 ? await found.hits(0, Math.min(found.count, MAX_MIXED)) : undefined;
    const mixed = rest && [...first, ...rest.filter(({ url }) => !known.has(url))];
    const list = found ? mixed : first;
    return {
      only: exact.length === 1 && only ? productPath(language, only.slug) : undefined,
      problem:
        exact.length > 0 || (number?.problem === 'check-digit' && partial.length > 0) ? undefined : number?.problem,
      count: list?.length ?? found?.count ?? 0,
      hits: async (from, to) => (list ? list.slice(from, to) : ((await found?.hits(from, to)) ?? [])),
    };
  };
}

/** Maximum number of text hits to merge with number hits. */
const MAX_MIXED = 40;

/** Reads the query of the page's URL: `?q=` and `?kind=`. */
export function readSearchUrl(): { query: string; kind: SearchKind | undefined } {
  const parameters = new URLSearchParams(location.search);
  const kind = SEARCH_KINDS.find((name) => name === parameters.get('kind'));
  return { query: parameters.get('q')?.trim() ?? '', kind };
}

/** Updates the page's URL, so that it can be shared. */
export function replaceSearchUrl(query: string, kind: SearchKind | undefined): void {
  const parameters = new URLSearchParams({ ...(query !== '' && { q: query }), ...(kind && { kind }) });
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}

/** Messages of the search in the language of the page, used as plain text. */
export interface SearchTexts {
  /** With `{count}`. */
  count: string;
  none: string;
  loading: string;
  failed: string;
  opening: string;
  'check-digit': string;
  'packaging-level': string;
}

/** @returns A function that finds products by number; files are fetched once, on demand. */
function openNumbers(language: string): (query: NumberQuery) => Promise<NumberMatches> {
  const folder = searchNumbersFolder(language);
  const cache = new Map<string, Promise<unknown>>();
  const read = async <T>(file: string, use: (content: T) => unknown): Promise<unknown> => {
    const cached = cache.get(file) ?? readJson<T>(`${folder}${file}`).then(use);
    cache.set(file, cached);
    // Retries after a failure.
    cached.catch(() => cache.delete(file));
    return cached;
  };
  const list = () => read<NumbersList>(NUMBERS_LIST, (content) => content) as Promise<NumbersList>;
  const rowsOf = (file: string) =>
    read<NumbersFile>(file, (content) => unpackNumbers(content, language)) as Promise<DirectoryRow[]>;
  return async (query) => {
    const { files } = await list();
    const { gtin13 } = query;
    if (gtin13 !== undefined) {
      const range = files.find(({ first, last }) => first <= gtin13 && gtin13 <= last);
      const { exact } = matchNumbers(range ? await rowsOf(range.file) : [], { ...query, folded: gtin13 }, 0);
      if (exact.length > 0) return { exact, partial: [] };
    }
    const found: NumberMatches = { exact: [], partial: [] };
    for (const { file } of files) {
      const { exact, partial } = matchNumbers(await rowsOf(file), query, MAX_PARTIAL - found.partial.length);
      found.exact.push(...exact);
      found.partial.push(...partial);
    }
    return found;
  };
}

interface NumberMatches {
  /** Products with exactly this number: item numbers need not be unique. */
  exact: DirectoryRow[];
  /** Products with this sequence in a number. */
  partial: DirectoryRow[];
}

export function matchNumbers(
  rows: readonly DirectoryRow[],
  { folded, gtin13, digits }: NumberQuery,
  limit: number,
): NumberMatches {
  const exact: DirectoryRow[] = [];
  const partial: DirectoryRow[] = [];
  for (const row of rows) {
    const item = foldNumber(row.item_number);
    if (row.gtin === gtin13 || item === folded) exact.push(row);
    else if (partial.length < limit && (item.includes(folded) || (digits !== undefined && row.gtin.includes(digits))))
      partial.push(row);
  }
  return { exact, partial };
}

/** A search text parsed as a number. */
interface NumberQuery {
  /** The number with separators removed. */
  folded: string;
  /** GTIN of a trade unit, if it is one. */
  gtin13: string | undefined;
  /** Digits to search within GTINs. */
  digits: string | undefined;
  /** Problem to report: a number as long as a GTIN but invalid. */
  problem: Extract<GtinProblem, 'check-digit' | 'packaging-level'> | undefined;
}

/** Fewer digits match too many numbers. */
const MIN_DIGITS = 3;
/** More letters are a word. */
const MAX_LETTERS = 6;

/** @returns Undefined if it is neither a number nor a part of one. */
export function numberQuery(text: string): NumberQuery | undefined {
  const digits = extractDigits(text);
  const isAllDigits = /^\d+$/.test(digits);
  const folded = isAllDigits ? digits : foldNumber(text);
  const letters = folded.replaceAll(/\d/g, '').length;
  if (folded.length - letters < MIN_DIGITS || letters > MAX_LETTERS) return undefined;
  const reading = parseGtin(text);
  // The GTIN of a carton contains that of the product, between its indicator and check digit.
  const isCarton = !reading.ok && reading.reason === 'packaging-level';
  return {
    folded,
    gtin13: reading.ok ? reading.gtin13 : undefined,
    digits: isCarton ? digits.slice(1, -1) : isAllDigits ? digits : undefined,
    problem: reading.ok ? undefined : problemToReport(reading.reason, digits),
  };
}

/** Shorter numbers are more likely parts of a GTIN. */
const MIN_WHOLE_GTIN = 13;

function problemToReport(reason: GtinProblem, digits: string): NumberQuery['problem'] {
  if (reason === 'packaging-level') return reason;
  return reason === 'check-digit' && digits.length >= MIN_WHOLE_GTIN ? reason : undefined;
}

/** Converts a product found by number to a text hit. */
function toHit(row: DirectoryRow, language: string): TextHit {
  const { name, item_number, gtin, slug } = row;
  const [lang] = row.language === language ? [] : Intl.getCanonicalLocales(row.language);
  return { url: productPath(language, slug), meta: { title: name, item_number, gtin, ...(lang && { lang }) } };
}

/**
 * Adds hits to a list, using the template.
 *
 * @returns The first of the new links.
 */
export function showHits(
  list: HTMLElement,
  template: HTMLTemplateElement,
  hits: readonly TextHit[],
): HTMLAnchorElement | undefined {
  const links = hits.flatMap(({ url, meta }) => {
    const item = template.content.cloneNode(true);
    if (!(item instanceof DocumentFragment)) return [];
    const link = item.querySelector('a');
    if (!link) return [];
    link.href = url;
    link.textContent = meta.title;
    if (meta.lang) item.querySelector('.row__name')?.setAttribute('lang', meta.lang);
    if (meta.image) item.querySelector('.row__image')?.append(thumbnail(meta.image));
    const fill = (name: string, text: string | undefined): void => {
      const target = item.querySelector(`[data-part="${name}"]`);
      if (!target) return;
      if (text) (target.querySelector('dd') ?? target).textContent = text;
      else target.remove();
    };
    fill('text', meta.text);
    fill('item_number', meta.item_number);
    fill('gtin', meta.gtin);
    fill('family', meta.family);
    list.append(item);
    return [link];
  });
  return links[0];
}

const THUMBNAIL_PX = 160;

function thumbnail(address: string): HTMLImageElement {
  const image = new Image(THUMBNAIL_PX, THUMBNAIL_PX);
  image.alt = '';
  image.loading = 'lazy';
  image.src = address;
  return image;
}

/** Arrow keys move from the field through the hits and back; Escape returns to the field. Tab is unchanged. */
export function enableHitNavigation(panel: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  panel.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.findIndex((link) => link === document.activeElement);
    if (at < 0 && document.activeElement !== input) return;
    if (event.key === 'Escape' && at >= 0) input.focus();
    else if (event.key === 'ArrowDown' && at + 1 < links.length) links[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
}
