import { SEARCH_KINDS, type SearchKind } from '#catalogue/addresses/site-paths.ts';
import {
  createSearch,
  type SearchResults,
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
  const form = panel.querySelector('form');
  const input = panel.querySelector<HTMLInputElement>('input[type="search"]');
  const status = panel.querySelector<HTMLElement>('[role="status"]');
  const list = panel.querySelector<HTMLElement>('[data-hits]');
  const template = panel.querySelector('template');
  const more = panel.querySelector<HTMLButtonElement>('[data-more]');
  const kinds = [...panel.querySelectorAll<HTMLInputElement>('[name="kind"]')];
  const directories = document.querySelector<HTMLElement>('[aria-labelledby="directories"]');
  const { language = '', texts: wording = '{}' } = panel.dataset;
  if (!form || !input || !status || !list || !template || !more) return;
  const texts = JSON.parse(wording) as SearchTexts;
  const find = createSearch(language);
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
  /** Hits replace the directories. Their space is reserved at once, to avoid layout shifts. */
  const reserveSpace = (isSearching: boolean): void => {
    panel.classList.toggle('search--asked', isSearching);
    if (directories) directories.hidden = isSearching;
  };
  const clear = (): void => {
    list.replaceChildren();
    more.hidden = true;
    shown = 0;
  };
  const showMore = async (run: number): Promise<HTMLAnchorElement | undefined> => {
    const hits = (await found?.hits(shown, shown + HITS_AT_ONCE)) ?? [];
    if (run !== running) return undefined;
    if (shown === 0) list.replaceChildren();
    shown += hits.length;
    more.hidden = shown >= (found?.count ?? 0);
    return showHits(list, template, hits);
  };
  /** @param canRedirect True to redirect to the page of a single product. */
  const search = async (canRedirect: boolean): Promise<void> => {
    clearTimeout(waiting);
    const run = ++running;
    const query = input.value.trim();
    replaceSearchUrl(query, kindChosen());
    reserveSpace(query !== '');
    if (query === '') {
      clear();
      setStatus('');
      return;
    }
    if (shown === 0) setStatus(texts.loading);
    try {
      const result = await find(query, kindChosen());
      if (run !== running) return;
      if (canRedirect && result.only !== undefined) {
        setStatus(texts.opening);
        // Replaces the history entry: going back from the product would redirect again.
        location.replace(result.only);
        return;
      }
      found = result;
      shown = 0;
      await showMore(run);
      if (run !== running) return;
      if (result.count === 0) {
        clear();
        reserveSpace(false);
      }
      const count = texts.count.replace(
        '{count}',
        new Intl.NumberFormat(document.documentElement.lang).format(result.count),
      );
      const problem = result.problem ? texts[result.problem] : '';
      setStatus([problem, result.count === 0 ? texts.none : count].filter(Boolean).join(' '));
    } catch {
      if (run !== running) return;
      clear();
      reserveSpace(false);
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
  more.addEventListener('click', () => void showMore(running).then((first) => first?.focus()));
  enableHitNavigation(panel, input, list);
  const initial = readSearchUrl();
  if (initial.query === '') return;
  input.value = initial.query;
  for (const kind of kinds) kind.checked = kind.value === (initial.kind ?? '');
  void search(true);
}

const panel = document.querySelector<HTMLElement>('[data-search]');
if (panel) startSearch(panel);
