/** Fills in the text that the page brings for an element: `data-text="{count} of {total}"`. */
export function fillText(element: HTMLElement, values: Readonly<Record<string, string>>): void {
  const text = element.dataset['text'] ?? '';
  element.textContent = text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
