/**
 * Finds an element of the page.
 *
 * @throws Error if it is missing: the script and the page don't match.
 */
export function findElement<T extends Element>(parent: ParentNode, selector: string, type: new () => T): T {
  const found = parent.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${selector}`);
}

/**
 * Reads a JSON file of the site.
 *
 * @throws Error if it can't be loaded: the page then stays as built.
 */
export async function readJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(address, { signal: signal ?? null });
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  return (await response.json()) as T;
}

/** Fills in the text of an element: `data-text="{count} of {total}"`, or the given text. */
export function fillText(
  element: HTMLElement,
  values: Readonly<Record<string, string>>,
  text = element.dataset['text'] ?? '',
): void {
  element.textContent = fillPlaceholders(text, values);
}

export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

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
