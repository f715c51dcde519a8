import sanitize from 'sanitize-html';

/** The absolute addresses of the images in sanitised HTML, each once. */
export function findImages(html: string): string[] {
  if (!html.includes('<img')) return [];
  const found = new Set<string>();
  sanitize(html, {
    allowedTags: ['img'],
    allowedAttributes: { img: ['src'] },
    transformTags: {
      img: (tagName, attribs) => {
        const { src } = attribs;
        if (src && URL.canParse(src)) found.add(src);
        return { tagName, attribs };
      },
    },
  });
  return [...found];
}
