/** Arrow keys go from the field through the hits and back; Escape returns to the field. Tab does what it always does. */
export function moveThroughHits(panel: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
  panel.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.findIndex((link) => link === document.activeElement);
    if (at < 0 && document.activeElement !== input) return;
    if (event.key === 'Escape' && at >= 0) input.focus();
    else if (event.key === 'ArrowDown' && at + 1 < links.length) links[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
}
