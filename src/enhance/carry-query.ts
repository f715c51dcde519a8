/** Lets the choice of languages keep what is chosen on the page: ids are the same in every language. */
export function carryQuery(query: URLSearchParams): void {
  const text = query.size === 0 ? '' : `?${query.toString()}`;
  const page = location.pathname.split('/').at(-2);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a[hreflang]')) {
    // Where there is no such page, the link leads to another one.
    if (link.pathname.endsWith(`/${page}/`)) link.search = text;
  }
}

/** Makes another choice a step in the history of the page, and its address one that can be shared. */
export function rememberQuery(query: URLSearchParams): void {
  const text = query.toString();
  if (text !== location.search.slice(1)) history.pushState(undefined, '', text ? `?${text}` : location.pathname);
}
