/** Adds the page's query to the language links: IDs are the same in every language. */
export function updateLanguageLinks(query: URLSearchParams): void {
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  const page = location.pathname.split('/').at(-2);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    // If the page doesn't exist in a language, its link points to another page.
    if (link.pathname.endsWith(`/${page}/`)) link.search = text;
  }
}

/** Adds a selection to the page's history and makes its URL shareable. */
export function pushQuery(query: URLSearchParams): void {
  const text = query.toString();
  if (text !== location.search.slice(1)) history.pushState(undefined, '', text ? `?${text}` : location.pathname);
}
