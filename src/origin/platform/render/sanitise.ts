import sanitize from 'sanitize-html';

/** Deeper than any page, and as deep as browsers go is twice of it. The parser's work grows with the depth at each tag. */
const MAX_DEPTH = 256;

class TooDeep extends Error {}

/** HTML by the rules of `sanitize-html`; nothing where elements lie in each other deeper than a page has them. */
export function sanitise(html: string, rules: sanitize.IOptions): string | undefined {
  let depth = 0;
  const onOpenTag = () => {
    if (++depth > MAX_DEPTH) throw new TooDeep();
  };
  const onCloseTag = () => {
    depth--;
  };
  try {
    return sanitize(html, { ...rules, onOpenTag, onCloseTag });
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}
