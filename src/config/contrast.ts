/** Backgrounds of pages, as in `styles/tokens.css`. */
export const PAPER = { light: '#ffffff', dark: '#121417' };

/** Minimum of WCAG for text. */
export const MIN_CONTRAST = 4.5;

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of WCAG, rounded down to one decimal. */
export function contrastOf(colour: string, ground: string): number {
  const [lower = 0, higher = 0] = [luminance(colour), luminance(ground)].toSorted((a, b) => a - b);
  return Math.floor(((higher + 0.05) / (lower + 0.05)) * 10) / 10;
}
