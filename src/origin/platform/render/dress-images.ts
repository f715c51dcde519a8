import { replaceTags } from '#contracts/scan-text.ts';

/** Lets browsers decode images aside, and load late those whose place on the page is known. */
export function dressImages(html: string): string {
  return replaceTags(html, /<img\b/i, ({ source }) => {
    const attributes = source.slice('<img'.length, -1);
    const has = (name: string) => new RegExp(`\\s${name}\\s*=`, 'i').test(attributes);
    const loading = has('width') && has('height') && !has('loading') ? ' loading="lazy"' : '';
    const decoding = has('decoding') ? '' : ' decoding="async"';
    return source.replace(/^<img/i, (start) => `${start}${loading}${decoding}`);
  });
}
