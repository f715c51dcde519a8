import type { SearchResults } from '#catalogue/search/find-records.ts';
import { SEARCH_KINDS, type SearchKind } from '#catalogue/search/search-file.ts';
import { createElement, fillPlaceholders, findElement } from './find-element.ts';
import {
  hitPath,
  openSearch,
  readSearchUrl,
  replaceSearchUrl,
  type SearchTexts,
  enableHitNavigation,
  showHits,
} from './search/find-hits.ts';

const HITS_AT_ONCE = 20;
/** Debounce delay while typing. */
const PAUSE_MS = 180;

/**
 * Searches while the visitor types. The number of a single product redirects to its page on submit, paste or page load.
 */
function startSearch(panel: HTMLElement): void {
  const form = findElement(panel, 'form', HTMLFormElement);
  const input = findElement(panel, 'input[type="search"]', HTMLInputElement);
  const status = findElement(panel, '[role="status"]', HTMLElement);
  const list = findElement(panel, '[data-hits]', HTMLElement);
  const template = findElement(panel, 'template', HTMLTemplateElement);
  const more = findElement(panel, '[data-more]', HTMLButtonElement);
  const kinds = [...panel.querySelectorAll<HTMLInputElement>('[name="kind"]')];
  const start = findElement(panel, '[data-start]', HTMLElement);
  const suggestions = findElement(panel, '[data-suggestions]', HTMLElement);
  const { language = '', texts: wording = '{}' } = panel.dataset;
  const texts = JSON.parse(wording) as SearchTexts;
  const { find, suggest } = openSearch(language);
  let running = 0;
  let shown = 0;
  let found: SearchResults | undefined;
  let waiting: number | undefined;

  const kindChosen = (): SearchKind | undefined =>
    SEARCH_KINDS.find((kind) => kind === kinds.find(({ checked }) => checked)?.value);
  const setStatus = (text: string): void => {
    // Avoids repeated announcements by assistive technology.
    if (status.textContent !== text) status.textContent = text;
  };
  const clear = (): void => {
    list.replaceChildren();
    more.hidden = true;
    start.hidden = false;
    shown = 0;
  };
  const showMore = (): HTMLAnchorElement | undefined => {
    const hits = found?.hits(shown, shown + HITS_AT_ONCE) ?? [];
    if (shown === 0) list.replaceChildren();
    shown += hits.length;
    more.hidden = shown >= (found?.count ?? 0);
    start.hidden = shown > 0;
    return showHits(list, template, hits, { language, texts });
  };
  const showSuggestions = (queries: readonly string[]): void => {
    suggestions.replaceChildren(
      ...queries.map((query) => {
        const button = createElement('button', { type: 'button' }, query);
        button.addEventListener('click', () => {
          input.value = query;
          input.focus();
          void search(false);
        });
        return button;
      }),
    );
  };
  /** @param canRedirect True to redirect to the page of a single product. */
  const search = async (canRedirect: boolean): Promise<void> => {
    clearTimeout(waiting);
    const run = ++running;
    const query = input.value.trim();
    replaceSearchUrl(query, kindChosen());
    showSuggestions([]);
    if (query === '') {
      clear();
      setStatus('');
      return;
    }
    start.hidden = true;
    if (shown === 0) setStatus(texts.loading);
    try {
      const result = await find(query, kindChosen());
      if (run !== running) return;
      if (canRedirect && result.only) {
        setStatus(texts.opening);
        // Replaces the history entry: going back from the product would redirect again.
        location.replace(hitPath(language, result.only));
        return;
      }
      found = result;
      shown = 0;
      if (result.count === 0) clear();
      else showMore();
      setStatus(describeResults(result, texts));
      const queries = document.activeElement === input ? await suggest(query) : [];
      if (run === running) showSuggestions(queries);
    } catch {
      if (run !== running) return;
      clear();
      setStatus(texts.failed);
    }
  };
  const searchSoon = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => void search(false), PAUSE_MS);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void search(true);
  });
  input.addEventListener('input', (event) => {
    if (event instanceof InputEvent && event.inputType === 'insertFromPaste') void search(true);
    else searchSoon();
  });
  for (const kind of kinds) kind.addEventListener('change', () => void search(false));
  more.addEventListener('click', () => showMore()?.focus());
  enableHitNavigation(panel, input, list);
  const initial = readSearchUrl();
  if (initial.query === '') return;
  input.value = initial.query;
  for (const kind of kinds) kind.checked = kind.value === (initial.kind ?? '');
  void search(true);
}

/** Describes the results: problems of the query, corrected and omitted words, and the number of hits. */
function describeResults({ problem, corrected, omitted, count }: SearchResults, texts: SearchTexts): string {
  const { lang } = document.documentElement;
  const words = new Intl.ListFormat(lang, { type: 'unit' }).format(omitted);
  return [
    problem && texts[problem],
    count > 0 && corrected !== undefined && fillPlaceholders(texts.corrected, { query: corrected }),
    count > 0 && omitted.length > 0 && fillPlaceholders(texts.omitted, { words }),
    count === 0 ? texts.none : fillPlaceholders(texts.count, { count: new Intl.NumberFormat(lang).format(count) }),
  ]
    .filter(Boolean)
    .join(' ');
}

const panel = document.querySelector<HTMLElement>('[data-search]');
if (panel) startSearch(panel);
