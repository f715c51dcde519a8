import { escapeHtml } from '#contracts/html/html-text.ts';
import { GENERAL_ATTRIBUTES } from '#contracts/html/elements.ts';
import { type ImageRole, linkedImagePath, pictureSources, type PictureOriginal } from '../images/image-variants.ts';

export interface EnrichOptions {
  /** Formats the label of a link to another site. */
  opensAt: (provider: string) => string;
  /** Formats the accessible name of the n-th table, which scrolls sideways on narrow screens. */
  tableLabel: (number: number) => string;
}

/** Value of `data-embed` for embedded posts of this site. Otherwise the value is the host's name. */
export const LOCAL_EMBED = 'here';

/** Width of an image in a text: the measure of the text, or the screen without its margins. */
const FIGURE_SIZES = '(min-width: 62rem) 44rem, 92vw';
/** Width of an image on the card of an article. */
const CARD_SIZES = '10rem';

/**
 * Adds what a static site can provide to the sanitised HTML of a post or page. Images with a digest become `<picture>`
 * with all variants. Tables get a region that scrolls by keyboard. Embeds become cards that link to their source.
 * Everything else is preserved.
 */
export function enrichHtml(html: string, { tableLabel, opensAt }: EnrichOptions): string {
  let tables = 0;
  return scopeHeads(
    html
      .replace(LINKED_ORIGINAL, (whole, img: string) => {
        const image = originalOf(readAttributes(img));
        return image ? `<a href="${linkedImagePath(image)}">${img}</a>` : whole;
      })
      .replace(/<img\b[^<>]*>/g, (tag) => pictureOf(readAttributes(tag), 'figure', FIGURE_SIZES) ?? tag)
      .replace(LINK, (whole, tag: string, title: string) => {
        if (!tag.includes('data-embed="')) return whole;
        const attributes = readAttributes(tag);
        // Values are still escaped.
        const { href = '', 'data-embed': provider = '', 'data-excerpt': excerpt = '' } = Object.fromEntries(attributes);
        const isOurs = provider === LOCAL_EMBED;
        const rel = isOurs ? '' : ' rel="noreferrer"';
        const line = isOurs ? excerpt : opensAt(provider);
        const picture = pictureOf(attributes, 'thumbnail', CARD_SIZES) ?? '';
        return `<a class="embed" href="${href}"${rel}${generalAttributes(attributes)}>${picture}<strong>${title}</strong>${line && ` <small>${line}</small>`}</a>`;
      })
      .replace(/<table\b/g, () => {
        tables += 1;
        return `<section class="scroll" tabindex="0" aria-label="${escapeHtml(tableLabel(tables))}"><table`;
      })
      .replaceAll('</table>', '</table></section>')
      // Scrollable by keyboard, like tables.
      .replace(/<pre\b/g, '<pre tabindex="0"'),
  );
}

/** Adds `scope` to table headers: `row` if the row has values, else `col`. */
function scopeHeads(html: string): string {
  const pieces: string[] = [];
  /** Indexes in `pieces` of the row's headers without `scope`. */
  let heads: number[] = [];
  let hasValues = false;
  let end = 0;
  const endRow = (): void => {
    for (const i of heads) pieces[i] = `<th scope="${hasValues ? 'row' : 'col'}"${pieces[i]?.slice('<th'.length)}`;
    heads = [];
    hasValues = false;
  };
  for (const { 0: tag, 1: name, index } of html.matchAll(/<(\/?(?:table|tr)|td|th)\b[^<>]*>/g)) {
    pieces.push(html.slice(end, index), tag);
    end = index + tag.length;
    if (name === 'td') hasValues = true;
    else if (name !== 'th') endRow();
    else if (!tag.includes(' scope=')) heads.push(pieces.length - 1);
  }
  return pieces.join('') + html.slice(end);
}

/** An image that links to its own file on the imported site. */
const LINKED_ORIGINAL = /<a href="[^"]+\.(?:jpe?g|png|webp|avif|gif)">\s*(<img\b[^<>]*>)\s*<\/a>/gi;
const LINK = /<a\b([^<>]*)>([^<]*)<\/a>/g;

function originalOf(attributes: Map<string, string>): PictureOriginal | undefined {
  const digest = attributes.get('data-asset');
  const [width, height] = [Number(attributes.get('width')), Number(attributes.get('height'))];
  if (!digest || !/^[0-9a-f]+$/.test(digest) || !(width > 0) || !(height > 0)) return undefined;
  const animation = attributes.get('data-animation');
  return { digest, width, height, ...(/^(?:gif|png|webp)$/.test(animation ?? '') && { animation }) };
}

function pictureOf(attributes: Map<string, string>, role: ImageRole, sizes: string): string | undefined {
  const original = originalOf(attributes);
  if (!original) return undefined;
  const picture = pictureSources(original, role);
  const sources = picture.sources.map(({ type, srcset, media, isStill }) => {
    const [when, widths] = [media ? ` media="${media}"` : '', isStill ? ` sizes="${sizes}"` : ''];
    return `<source type="${type}"${when} srcset="${srcset}"${widths}>`;
  });
  // The value comes from an attribute and is already escaped.
  const alt = attributes.get('alt') ?? '';
  const general = role === 'figure' ? generalAttributes(attributes) : '';
  return `<picture>${sources.join('')}<img src="${picture.src}" alt="${alt}" width="${picture.width}" height="${picture.height}" loading="lazy" decoding="async"${general}></picture>`;
}

/** Returns the global attributes of an element, to copy them to its replacement. Links depend on IDs. */
function generalAttributes(attributes: Map<string, string>): string {
  return GENERAL_ATTRIBUTES.flatMap((name) => {
    const value = attributes.get(name);
    return value === undefined ? [] : [` ${name}="${value}"`];
  }).join('');
}

function readAttributes(tag: string): Map<string, string> {
  return new Map([...tag.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
}
