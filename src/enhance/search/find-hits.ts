import { sitePath, searchFilePath, searchWordsPath } from '#catalogue/addresses/site-paths.ts';
import { findRecords, suggestQueries, type SearchHit, type SearchResults } from '#catalogue/search/find-records.ts';
import { SEARCH_KINDS, type SearchFile, type SearchKind, type Words } from '#catalogue/search/search-file.ts';
import { SearchIndex } from '#catalogue/search/search-index.ts';
import { findElement, readJson } from '../find-element.ts';

/** Opens the search of a language. Files are fetched once, on demand. */
export function openSearch(language: string) {
  const cache = new Map<string, Promise<unknown>>();
  const read = <T, R>(path: string, use: (content: T) => R): Promise<R> => {
    const cached = (cache.get(path) as Promise<R> | undefined) ?? readJson<T>(path).then(use);
    cache.set(path, cached);
    // Retries after a failure.
    cached.catch(() => cache.delete(path));
    return cached;
  };
  const open = (): Promise<SearchIndex> =>
    read(searchFilePath(language), (file: SearchFile) => new SearchIndex(language, file));
  return {
    find: async (query: string, kind: SearchKind | undefined): Promise<SearchResults> => {
      const index = await open();
      const found = findRecords(index, query, kind);
      const hasProse = kind !== undefined && KINDS_WITH_PROSE.includes(kind);
      const lacking = index.filesOf(hasProse ? query : found.unknown.join(' '));
      if (lacking.length === 0) return found;
      const addProse = (words: Words): void => index.addProse(words);
      const { version } = index.file;
      try {
        await Promise.all(lacking.map((i) => read(searchWordsPath(language, version, i), addProse)));
      } catch (error) {
        // After a deployment, the files of an open page may be gone.
        if (found.count === 0) throw error;
      }
      return findRecords(index, query, kind);
    },
    /** Returns queries that begin like this one. */
    suggest: async (query: string): Promise<string[]> => suggestQueries(await open(), query),
  };
}

const KINDS_WITH_PROSE: readonly SearchKind[] = ['post', 'episode', 'page', 'norm'];

/** Path of a hit's page. */
export function hitPath(language: string, { path }: Pick<SearchHit, 'path'>): string {
  return sitePath(`/${language}/${path}`);
}

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
  /** With `{query}`. */
  corrected: string;
  /** With `{words}`. */
  omitted: string;
  'check-digit': string;
  'packaging-level': string;
  kinds: Record<SearchKind, string>;
}

/** Adds hits to a list, using the template, and returns the first of the new links. */
export function showHits(
  list: HTMLElement,
  template: HTMLTemplateElement,
  hits: readonly SearchHit[],
  { language, texts }: { language: string; texts: SearchTexts },
): HTMLAnchorElement | undefined {
  const links = hits.map((hit) => {
    const item = document.importNode(template.content, true);
    const link = findElement(item, 'a', HTMLAnchorElement);
    const { kind, title, line, product } = hit;
    link.href = hitPath(language, hit);
    link.textContent = title;
    const [lang] = product?.language ? Intl.getCanonicalLocales(product.language) : [];
    if (lang) item.querySelector('.row__name')?.setAttribute('lang', lang);
    const fill = (name: string, text: string | undefined): void => {
      const target = item.querySelector(`[data-part="${name}"]`);
      if (!target) return;
      if (text) (target.querySelector('dd') ?? target).textContent = text;
      else target.remove();
    };
    const add = item.querySelector<HTMLAnchorElement>('.hit__add');
    if (add && product) {
      add.href += `?add=${product.gtin}`;
      add.ariaLabel = `${add.textContent.trim()}: ${title}`;
    } else for (const part of item.querySelectorAll('dl, .hit__add')) part.remove();
    fill('kind', kind === 'product' ? product?.family : texts.kinds[kind]);
    fill('text', line);
    fill('item_number', product?.item_number);
    fill('gtin', product?.gtin);
    list.append(item);
    return link;
  });
  return links[0];
}

/** Arrow keys move from the field through the hits and back; Escape returns to the field. Tab is unchanged. */
export function enableHitNavigation(panel: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  panel.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll<HTMLAnchorElement>('h2 a')];
    const at = links.findIndex((link) => link === document.activeElement);
    if (at < 0 && document.activeElement !== input) return;
    if (event.key === 'Escape' && at >= 0) input.focus();
    else if (event.key === 'ArrowDown' && at + 1 < links.length) links[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
}
