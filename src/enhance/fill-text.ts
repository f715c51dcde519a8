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
