import { analyseText } from '#analysis/analyse-text.ts';
import { countWords } from '#analysis/text/sentences.ts';
import { guessLanguage } from '#analysis/languages/index.ts';
import { readingMinutes } from '#analysis/reading-time.ts';
import type { Analysis, AnalysisInput } from '#analysis/types.ts';
import { plainText } from './plain-text.ts';

/** Longer texts are analysed up to this length. Words are always counted completely. */
const MAX_ANALYSED_LENGTH = 100_000;
/** Length that is sufficient to detect the language. */
const MAX_DETECTION_LENGTH = 10_000;

/** Input of the analysis in addition to the text. Without a language, the language is detected. */
export type AnalysisHead = Omit<AnalysisInput, 'html' | 'language'> & Partial<Pick<AnalysisInput, 'language'>>;

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
