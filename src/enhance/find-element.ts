/**
 * An element that the page was built with.
 * @throws Error when it isn't there: the script and the page don't belong together.
 */
export function findElement<T extends Element>(parent: ParentNode, selector: string, type: new () => T): T {
  const found = parent.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${selector}`);
}

/** Reads a JSON file of the site. @throws Error when it can't be had: the page then stays as it was built. */
export async function readJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(address, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
  return (await answer.json()) as T;
}

/** Fills in the text that the page brings for an element: `data-text="{count} of {total}"`, or another one. */
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
