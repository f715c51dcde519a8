import { OF_THIS_SITE } from '../catalogue/journal/enrich-html.ts';
import type { ImageAsset } from './entries.ts';
import { sanitizeLater } from './sanitize-later.ts';

export interface HtmlRewriting {
  /** The new address of a link, or undefined to leave it. */
  resolveLink: (href: string) => string | undefined;
  /** The fetched image behind an address. */
  findImage: (src: string, alt: string) => ImageAsset | undefined;
  /** The writing at a path of this site. */
  findWriting: (path: string) => EmbeddedWriting | undefined;
}

/** What a card shows of a writing. */
export interface EmbeddedWriting {
  title: string;
  excerpt: string;
  featured: ImageAsset | undefined;
}

/**
 * Leads links into this site, says at embeds of its own writings what there is to show, and marks images whose original
 * was fetched with `data-asset`, `width` and `height`, for the site to put its own sizes in. Everything else stays as it
 * is: the sync has sanitised it.
 */
export function rewriteHtml(html: string, { resolveLink, findImage, findWriting }: HtmlRewriting): string {
  if (!/<(a|img)\b/i.test(html)) return html;
  return sanitizeLater(html, {
    // Nothing is judged here a second time, but for what must never pass, whoever wrote the snapshot.
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    exclusiveFilter: ({ tag }) => tag === 'script' || tag === 'style',
    transformTags: {
      a: (tagName, attribs) => {
        const path = attribs['href'] === undefined ? undefined : resolveLink(attribs['href']);
        if (path === undefined) return { tagName, attribs };
        // What was said of a foreign address doesn't hold for one of our own.
        const { target: _target, rel: _rel, 'data-embed': embed, ...rest } = attribs;
        const writing = embed === undefined ? undefined : findWriting(path);
        if (!writing) return { tagName, attribs: { ...rest, href: path } };
        const { title, excerpt, featured } = writing;
        const picture = featured && marked(featured);
        return {
          tagName,
          attribs: { href: path, 'data-embed': OF_THIS_SITE, 'data-excerpt': excerpt, ...picture },
          text: title,
        };
      },
      img: (tagName, attribs) => {
        const image = attribs['src'] === undefined ? undefined : findImage(attribs['src'], attribs['alt'] ?? '');
        if (!image) return { tagName, attribs };
        const { srcset: _srcset, sizes: _sizes, ...rest } = attribs;
        return { tagName, attribs: { ...rest, ...marked(image) } };
      },
    },
  });
}

function marked({ digest, width, height }: ImageAsset): Record<string, string> {
  return { 'data-asset': digest, width: String(width), height: String(height) };
}
