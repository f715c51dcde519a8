/** What a quote needs to know of the text before it. */
export interface QuoteState {
  /** The sign right before, empty at the beginning. */
  before: string;
  /** Whether a double quotation is open. */
  isOpen: boolean;
}

/** Short forms that begin with an apostrophe. */
const CLIPPED = /^'(?:tain|twere|twas|tis|twill|til|bout|nuff|round|cause|em)\b/i;

const QUOTES = /``|''|["']/g;

/** Turns typewriter quotes into curly ones, apostrophes, and primes behind numbers. */
export function curlQuotes(text: string, state: QuoteState): { text: string; state: QuoteState } {
  let { isOpen } = state;
  const curled = text.replaceAll(QUOTES, (sign, at: number) => {
    const previous = at === 0 ? state.before : text.charAt(at - 1);
    const rest = text.slice(at);
    const next = text.charAt(at + sign.length);
    if (sign === '``') return '&#8220;';
    if (sign === "''") return '&#8221;';
    const isBehindNumber = /\d/.test(previous) && !/[a-z]/i.test(next);
    const opens = (previous === '' || /[\s([{<"'\u2013\u2014-]/.test(previous)) && !/\s/.test(next);
    if (sign === "'") {
      if (isBehindNumber && !isOpen) return '&#8242;';
      const isApostrophe = CLIPPED.test(rest) || /^'\d\d(?:s|\W|$)/.test(rest);
      return opens && !isApostrophe ? '&#8216;' : '&#8217;';
    }
    if (isBehindNumber && !isOpen) return '&#8243;';
    isOpen = opens;
    return opens ? '&#8220;' : '&#8221;';
  });
  return { text: curled, state: { before: text.at(-1) ?? state.before, isOpen } };
}
