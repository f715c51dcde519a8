export { analyseText } from './analyse-text.ts';
export { readingMinutes } from './reading-time.ts';
export { guessLanguage } from './languages/index.ts';
export { MAX_SHOWN_DESCRIPTION_LENGTH, MIN_DESCRIPTION_LENGTH, MAX_TITLE_WIDTH_PX } from './checks/head-checks.ts';
export { countWords } from './text/sentences.ts';
export { titleWidthPx } from './text/pixel-width.ts';
export {
  ADVICE_LANGUAGES,
  type AdviceLanguage,
  type AnalysisSubject,
  type Analysis,
  type AnalysisInput,
  type CheckResult,
  type Rating,
} from './types.ts';
