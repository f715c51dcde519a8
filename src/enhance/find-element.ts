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

/** Creates an element with properties and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
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

export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
