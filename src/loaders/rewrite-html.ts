import sanitizeHtml from 'sanitize-html';
import type { ImageAsset } from './entries.ts';

export interface HtmlRewriting {
  /** The new address of a link, or undefined to leave it. */
  resolveLink: (href: string) => string | undefined;
  /** The fetched image behind an address. */
  findImage: (src: string, alt: string) => ImageAsset | undefined;
}

/**
 * Leads links into this site and marks images whose original was fetched with `data-asset`, `width` and `height`, for
 * the site to put its own sizes in. Everything else stays as it is: the sync has sanitised it.
 */
export function rewriteHtml(html: string, { resolveLink, findImage }: HtmlRewriting): string {
  if (!/<(a|img)\b/i.test(html)) return html;
  return sanitizeHtml(html, {
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
        const { target: _target, rel: _rel, 'data-embed': _embed, ...rest } = attribs;
        return { tagName, attribs: { ...rest, href: path } };
      },
      img: (tagName, attribs) => {
        const image = attribs['src'] === undefined ? undefined : findImage(attribs['src'], attribs['alt'] ?? '');
        if (!image) return { tagName, attribs };
        const { srcset: _srcset, sizes: _sizes, ...rest } = attribs;
        const size = { width: String(image.width), height: String(image.height) };
        return { tagName, attribs: { ...rest, 'data-asset': image.digest, ...size } };
      },
    },
  });
}
