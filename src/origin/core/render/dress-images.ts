/** Lets browsers decode images aside, and load late those whose place on the page is known. */
export function dressImages(html: string): string {
  return html.replaceAll(/<img\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi, (image, attributes: string) => {
    const has = (name: string) => new RegExp(`\\s${name}\\s*=`, 'i').test(attributes);
    const loading = has('width') && has('height') && !has('loading') ? ' loading="lazy"' : '';
    const decoding = has('decoding') ? '' : ' decoding="async"';
    return image.replace(/^<img/i, (start) => `${start}${loading}${decoding}`);
  });
}
