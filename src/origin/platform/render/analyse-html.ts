import {
  analyseText,
  countWords,
  guessLanguage,
  readingMinutes,
  type Analysis,
  type AnalysisInput,
} from '#analysis/index.ts';
import { plainText } from './plain-text.ts';

/** Longer texts are checked up to here; their words are all counted. */
const MAX_CHECKED = 100_000;
/** So much of a text tells what language it is in. */
const MAX_GUESSED = 10_000;

/** What is analysed besides the text. Without a language, that of the text is guessed from its words. */
export type AnalysedHead = Omit<AnalysisInput, 'html' | 'language'> & Partial<Pick<AnalysisInput, 'language'>>;

/** Analyses a text of any length. @param name What the page is called, which helps to tell the language. */
export function analyseHtml(html: string, name: string, head: AnalysedHead): Analysis {
  const language = head.language ?? languageOf(name, html);
  const analysis = analyseText({ ...head, language, html: html.slice(0, MAX_CHECKED) });
  if (html.length <= MAX_CHECKED) return analysis;
  return { ...analysis, words: countWords(plainText(html)), readingMinutes: readingMinutes(html) };
}

/** The language that a text is written in. */
export function languageOf(name: string, html: string): string {
  return guessLanguage(plainText(`${name} ${html.slice(0, MAX_GUESSED)}`)) ?? 'en';
}
