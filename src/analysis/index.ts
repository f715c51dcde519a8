export { analyseText, readingMinutes, WORDS_PER_MINUTE } from './analyse-text.ts';
export { guessLanguage } from './languages/index.ts';
export { LONGEST_DESCRIPTION, SHORTEST_DESCRIPTION, WIDEST_TITLE_PX } from './checks/head-checks.ts';
export { ratingOf } from './scores.ts';
export { countWords } from './text/sentences.ts';
export { descriptionWidthPx, titleWidthPx } from './text/pixel-width.ts';
export {
  ADVICE_LANGUAGES,
  READABILITY_CHECKS,
  SEO_CHECKS,
  type AdviceLanguage,
  type AnalysedImage,
  type AnalysedKind,
  type AnalysedLink,
  type Analysis,
  type AnalysisInput,
  type CheckId,
  type CheckResult,
  type Rating,
} from './types.ts';
