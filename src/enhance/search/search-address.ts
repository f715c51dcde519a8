import { SEARCH_KINDS, type SearchKind } from '#catalogue/addresses/search-files.ts';

/** What the address of the page asks for: `?q=` and `?kind=`. */
export function readAddress(): { query: string; kind: SearchKind | undefined } {
  const parameters = new URLSearchParams(location.search);
  const kind = SEARCH_KINDS.find((name) => name === parameters.get('kind'));
  return { query: parameters.get('q')?.trim() ?? '', kind };
}

/** Keeps the address such that it can be shared. */
export function writeAddress(query: string, kind: SearchKind | undefined): void {
  const parameters = new URLSearchParams({ ...(query !== '' && { q: query }), ...(kind && { kind }) });
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}
