import { formatAdvice } from './advice/index.ts';
import { checkContent } from './checks/content-checks.ts';
import { checkHead } from './checks/head-checks.ts';
import { checkKeyphrase } from './checks/keyphrase-checks.ts';
import { checkReadability, computeReadingEase } from './checks/readability-checks.ts';
import { parseInput } from './parse-input.ts';
import { readingMinutes } from './reading-time.ts';
import { fieldScore, getRating, readabilityScore, seoScore } from './scores.ts';
import { descriptionWidthPx, titleWidthPx } from './text/pixel-width.ts';
import { ADVICE_LANGUAGES, type Analysis, type AnalysisInput, type CheckResult } from './types.ts';

/** Checks content and its head and gives advice. Runs in time linear to the input. */
export function analyseText(input: AnalysisInput): Analysis {
  const paper = parseInput(input);
  const seo = [...checkKeyphrase(paper), ...checkHead(paper), ...checkContent(paper)];
  const readability = checkReadability(paper);
  const adviceLanguage =
    input.adviceLanguage ?? ADVICE_LANGUAGES.find((language) => language === paper.language) ?? 'en';
  const toResult = (area: CheckResult['area']) => (found: (typeof seo)[number]) => ({
    id: found.id,
    area,
    score: found.score,
    rating: getRating(found.score),
    advice: formatAdvice(found, adviceLanguage),
  });
  return {
    seo: seoScore(seo, paper.keyphrase !== undefined),
    readability: readabilityScore(readability, paper.language),
    titleScore: fieldScore(seo, ['keyphraseTitle', 'titleWidth'], input.title),
    descriptionScore: fieldScore(seo, ['keyphraseDescription', 'descriptionLength'], input.description),
    readingMinutes: readingMinutes(input.html),
    words: paper.words,
    readingEase: computeReadingEase(paper),
    titleWidthPx: titleWidthPx(input.title.trim()),
    descriptionWidthPx: descriptionWidthPx(input.description.trim()),
    results: [...seo.map(toResult('seo')), ...readability.map(toResult('readability'))],
  };
}
