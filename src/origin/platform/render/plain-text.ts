import { analyseText } from '#analysis/analyse-text.ts';
import { countWords, readingMinutes } from '#analysis/text/sentences.ts';
import { guessLanguage } from '#analysis/languages/index.ts';
import type { Analysis, AnalysisInput } from '#analysis/types.ts';

/**
 * Extracts the text of HTML: without markup, scripts and styles, white space collapsed.
 *
 * An unclosed tag hides the rest. Runs in linear time for any input.
 */
export function plainText(html: string): string {
  let text = '';
  let at = 0;
  for (const next = /<(?:!--|\/?[a-z])/gi; ;) {
    next.lastIndex = at;
    const start = next.exec(html)?.index ?? html.length;
    text += html.slice(at, start);
    if (start === html.length) break;
    at = html.startsWith('<!--', start) ? endAfter(html, '-->', start + 4) : elementEnd(html, start);
  }
  // Removing a tag may have formed another one: `<<b>script>`.
  return text
    .replaceAll(/(?<!<)<+(?=[a-z/!?])/gi, '')
    .replaceAll(/[\s\uFEFF]+/g, ' ')
    .trim();
}

/** Returns the end of a tag, or of a complete script or style element. */
function elementEnd(html: string, start: number): number {
  const end = tagEnd(html, start);
  const [, hidden] = /^<(script|style)\b/i.exec(html.slice(start, start + 10)) ?? [];
  if (hidden === undefined) return end;
  const closing = new RegExp(`</${hidden}\\s*>`, 'gi');
  closing.lastIndex = end;
  return closing.exec(html) ? closing.lastIndex : html.length;
}

/** Returns the end of a tag. A `>` inside quotes doesn't end it; unclosed quotes are ignored. */
function tagEnd(html: string, start: number): number {
  const mark = /[>"']/g;
  mark.lastIndex = start;
  for (let found = mark.exec(html); found; found = mark.exec(html)) {
    if (found[0] === '>') return mark.lastIndex;
    const closing = html.indexOf(found[0], mark.lastIndex);
    if (closing >= 0) mark.lastIndex = closing + 1;
  }
  return html.length;
}

function endAfter(html: string, closing: string, from: number): number {
  const at = html.indexOf(closing, from);
  return at < 0 ? html.length : at + closing.length;
}

/** Longer texts are analysed up to this length. Words are always counted completely. */
const MAX_ANALYSED_LENGTH = 100_000;
/** Length that is sufficient to detect the language. */
const MAX_DETECTION_LENGTH = 10_000;

/** Input of the analysis in addition to the text. Without a language, the language is detected. */
type AnalysisHead = Omit<AnalysisInput, 'html' | 'language'> & Partial<Pick<AnalysisInput, 'language'>>;

/** Analyses a text of any length. @param name title of the page, which helps to detect the language */
export function analyseHtml(html: string, name: string, head: AnalysisHead): Analysis {
  const language = head.language ?? detectLanguage(name, html);
  const analysis = analyseText({ ...head, language, html: html.slice(0, MAX_ANALYSED_LENGTH) });
  if (html.length <= MAX_ANALYSED_LENGTH) return analysis;
  return { ...analysis, words: countWords(plainText(html)), readingMinutes: readingMinutes(html) };
}

export function detectLanguage(name: string, html: string): string {
  return guessLanguage(plainText(`${name} ${html.slice(0, MAX_DETECTION_LENGTH)}`)) ?? 'en';
}
