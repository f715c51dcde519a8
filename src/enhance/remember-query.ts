/** Makes another choice a step in the history of the page, and its address one that can be shared. */
export function rememberQuery(query: URLSearchParams): void {
  const text = query.toString();
  if (text !== location.search.slice(1)) history.pushState(undefined, '', text ? `?${text}` : location.pathname);
}
