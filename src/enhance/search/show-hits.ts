import { productPath } from '#catalogue/addresses/paths.ts';
import type { DirectoryRow } from '#catalogue/port/directory.ts';
import type { TextHit } from './open-pagefind.ts';

/** Converts a product found by number to a text hit. */
export function toHit(row: DirectoryRow, language: string): TextHit {
  const { name, item_number, gtin, slug } = row;
  const [lang] = row.language === language ? [] : Intl.getCanonicalLocales(row.language);
  return { url: productPath(language, slug), meta: { title: name, item_number, gtin, ...(lang && { lang }) } };
}

/**
 * Adds hits to a list, using the template.
 *
 * @returns The first of the new links.
 */
export function showHits(
  list: HTMLElement,
  template: HTMLTemplateElement,
  hits: readonly TextHit[],
): HTMLAnchorElement | undefined {
  const links = hits.flatMap(({ url, meta }) => {
    const item = template.content.cloneNode(true);
    if (!(item instanceof DocumentFragment)) return [];
    const link = item.querySelector('a');
    if (!link) return [];
    link.href = url;
    link.textContent = meta.title;
    if (meta.lang) item.querySelector('.row__name')?.setAttribute('lang', meta.lang);
    if (meta.image) item.querySelector('.row__image')?.append(thumbnail(meta.image));
    const fill = (name: string, text: string | undefined): void => {
      const target = item.querySelector(`[data-part="${name}"]`);
      if (!target) return;
      if (text) (target.querySelector('dd') ?? target).textContent = text;
      else target.remove();
    };
    fill('text', meta.text);
    fill('item_number', meta.item_number);
    fill('gtin', meta.gtin);
    fill('family', meta.family);
    list.append(item);
    return [link];
  });
  return links[0];
}

const THUMBNAIL_PX = 160;

function thumbnail(address: string): HTMLImageElement {
  const image = new Image(THUMBNAIL_PX, THUMBNAIL_PX);
  image.alt = '';
  image.loading = 'lazy';
  image.src = address;
  return image;
}

/** Arrow keys move from the field through the hits and back; Escape returns to the field. Tab is unchanged. */
export function enableHitNavigation(panel: HTMLElement, input: HTMLInputElement, list: HTMLElement): void {
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
