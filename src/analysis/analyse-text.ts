import { formatAdvice } from './advice/index.ts';
import { checkContent, checkHead } from './checks/content-checks.ts';
import { checkReadability, computeReadingEase } from './checks/readability-checks.ts';
import { parseInput, type ParsedText } from './parse-input.ts';
import { descriptionWidthPx, titleWidthPx } from './text/pixel-width.ts';
import {
  ADVICE_LANGUAGES,
  type Analysis,
  type AnalysisInput,
  type CheckResult,
  type CheckId,
  type Rating,
} from './types.ts';
import { type Finding, createFinding } from './finding.ts';
import { languageRules } from './languages/index.ts';
import {
  countMatchingStems,
  countKeyphrase,
  findExactKeyphrase,
  isShortKeyphrase,
  splitLowerCaseWords,
  matchesKeyphrase,
  stemWord,
  stemText,
  type Keyphrase,
} from './text/keyphrase.ts';
import { readingMinutes } from './text/sentences.ts';

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

const BEST = 9;

function getRating(score: number): Rating {
  if (score === 0) return 'neutral';
  if (score < 5) return 'bad';
  return score < 8 ? 'ok' : 'good';
}

/** Share of the best possible sum in percent. Neutral findings don't count. */
function percentOf(findings: readonly Finding[]): number {
  const counted = findings.filter(({ score }) => score !== 0);
  const sum = counted.reduce((total, { score }) => total + score, 0);
  return counted.length === 0 ? 0 : Math.round((sum / (counted.length * BEST)) * 100);
}

/** Scores from 1 to 100, or 0 without a keyphrase. */
function seoScore(findings: readonly Finding[], hasKeyphrase: boolean): number {
  return hasKeyphrase ? Math.max(1, Math.min(100, percentOf(findings))) : 0;
}

/** Scores one field of the head by its own checks. */
function fieldScore(findings: readonly Finding[], checks: readonly CheckId[], text: string): number {
  if (text.trim() === '') return 0;
  return Math.max(1, percentOf(findings.filter(({ id }) => checks.includes(id))));
}

/** Scores 90 (good), 60 (ok), 30 (bad) or 0 (too little text). Languages with fewer checks weigh each of them more. */
function readabilityScore(findings: readonly Finding[], language: string): Analysis['readability'] {
  const ratings = findings.map(({ score }) => getRating(score)).filter((rating) => rating !== 'neutral');
  if (ratings.length <= 1) return 0;
  const weights = languageRules(language) ? { bad: 3, most: 6, tolerated: 4 } : { bad: 4, most: 4, tolerated: 2 };
  const penalty = ratings.reduce((sum, rating) => sum + (rating === 'bad' ? weights.bad : rating === 'ok' ? 2 : 0), 0);
  if (penalty > weights.most) return 30;
  return penalty > weights.tolerated ? 60 : 90;
}

/** Checks where and how often the keyphrase occurs. Without a keyphrase, only advises to choose one. */
function checkKeyphrase(paper: ParsedText): Finding[] {
  const { keyphrase } = paper;
  if (!keyphrase) return [createFinding('keyphraseLength', 'none', -999)];
  const isTerm = paper.input.kind === 'term';
  return [
    checkLength(paper, keyphrase),
    checkIntroduction(paper),
    checkDensity(paper),
    checkTitle(paper, keyphrase),
    checkDescription(paper),
    checkSlug(paper, keyphrase),
    ...(isTerm ? [] : [checkHeadings(paper), checkAlt(paper), checkCompetingLinks(paper)]),
    ...checkReuse(paper),
    ...(keyphrase.hasOnlyFunctionWords ? [createFinding('functionWordsOnly', 'notice', 0)] : []),
  ];
}

/** Languages that form compounds, so that three words say as much as four elsewhere. */
const COMPOUNDING = new Set(['de', 'nl', 'sv']);

function checkLength({ input, language, rules }: ParsedText, { contentWords: found }: Keyphrase): Finding {
  if (input.kind === 'product') {
    const least = COMPOUNDING.has(language) ? 3 : 4;
    const most = 6;
    const off = Math.max(least - found, found - most);
    const outcome = off <= 0 ? 'good' : found < least ? 'short' : 'long';
    return createFinding('keyphraseLength', outcome, off <= 0 ? 9 : off === 1 ? 6 : 3, { found, least, most });
  }
  const [most, tolerated] = rules ? [4, 8] : [6, 9];
  const outcome = found <= most ? 'good' : 'long';
  return createFinding('keyphraseLength', outcome, found <= most ? 9 : found <= tolerated ? 6 : 3, {
    found,
    least: 1,
    most,
  });
}

function checkIntroduction({ blocks, phrases }: ParsedText): Finding {
  const sentences = blocks.find(({ kind }) => kind === 'prose')?.sentences ?? [];
  const all = sentences.flatMap(({ stems }) => stems);
  if (phrases.some((phrase) => sentences.some(({ stems }) => countKeyphrase(stems, phrase) > 0))) {
    return createFinding('keyphraseIntroduction', 'good', 9);
  }
  return phrases.some((phrase) => countKeyphrase(all, phrase) > 0)
    ? createFinding('keyphraseIntroduction', 'spread', 6)
    : createFinding('keyphraseIntroduction', 'missing', 3);
}

function countIn(stems: readonly string[], phrases: readonly Keyphrase[]): number {
  return phrases.reduce((sum, phrase) => sum + countKeyphrase(stems, phrase), 0);
}

const LEAST_DENSITY = 0.5;

function checkDensity({ blocks, words, phrases, rules }: ParsedText): Finding {
  if (words === 0) return createFinding('keyphraseDensity', 'noText', -50);
  const found = blocks
    .flatMap(({ sentences }) => sentences)
    .reduce((sum, { stems }) => sum + countIn(stems, phrases), 0);
  if (words < 100) {
    const most = words <= 50 ? 1 : 2;
    const values = { found, least: 1, most, words };
    if (found === 0) return createFinding('keyphraseDensity', 'few', 4, values);
    if (found <= most) return createFinding('keyphraseDensity', 'good', 9, values);
    return createFinding('keyphraseDensity', 'many', found === most + 1 ? -10 : -50, values);
  }
  // Languages with rules count word forms too, so their limit is higher.
  const mostPercent = rules ? 3.5 : 3;
  const percent = (found / words) * 100;
  const values = {
    found,
    words,
    least: Math.ceil((words * LEAST_DENSITY) / 100),
    most: Math.floor((words * mostPercent) / 100),
  };
  if (percent < LEAST_DENSITY) return createFinding('keyphraseDensity', 'few', 4, values);
  if (percent <= mostPercent) return createFinding('keyphraseDensity', 'good', 9, values);
  return createFinding('keyphraseDensity', 'many', percent <= 4 ? -10 : -50, values);
}

function checkTitle({ input, rules }: ParsedText, keyphrase: Keyphrase): Finding {
  const at = findExactKeyphrase(input.title, keyphrase, rules);
  if (at === 0) return createFinding('keyphraseTitle', 'good', 9);
  if (at > 0) return createFinding('keyphraseTitle', 'later', 6);
  const stems = stemText(input.title, rules);
  if (countKeyphrase(stems, keyphrase) > 0) return createFinding('keyphraseTitle', 'words', 6);
  return createFinding('keyphraseTitle', 'missing', 2);
}

function checkDescription({ input, rules, phrases }: ParsedText): Finding {
  const found = countIn(stemText(input.description, rules), phrases);
  if (found === 0) return createFinding('keyphraseDescription', 'missing', 3, { found });
  return found <= 2
    ? createFinding('keyphraseDescription', 'good', 9, { found })
    : createFinding('keyphraseDescription', 'many', 3, { found, most: 2 });
}

/** Slugs spell German umlauts with or without an `e`. */
const WITH_E: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

function checkSlug({ input, rules }: ParsedText, keyphrase: Keyphrase): Finding {
  const slug = new Set(stemText(input.slug.replaceAll(/[-_]/g, ' '), rules));
  const isIn = (stem: string) => slug.has(stem);
  const spelled = keyphrase.words.flatMap((word) => {
    const [written] = stemText(word, rules);
    const [withE] = stemText(
      word.replaceAll(/[äöü]/g, (umlaut) => WITH_E[umlaut] ?? umlaut),
      rules,
    );
    return written !== undefined && keyphrase.stems.has(written) && (isIn(written) || isIn(withE ?? written))
      ? [written]
      : [];
  });
  const found = countMatchingStems(spelled, keyphrase);
  const wanted = keyphrase.stems.size;
  if (found === wanted || (!isShortKeyphrase(keyphrase) && found * 2 > wanted))
    return createFinding('keyphraseSlug', 'good', 9);
  if (found > 0) return createFinding('keyphraseSlug', 'part', input.isCornerstone ? 3 : 6, { found, wanted });
  return createFinding('keyphraseSlug', 'missing', 3);
}

const LONG_TEXT = 300;
const LEAST_SHARE = 0.3;
const MOST_SHARE = 0.75;

function checkHeadings({ blocks, words, phrases }: ParsedText): Finding {
  const headings = blocks.filter(({ level }) => level === 2 || level === 3);
  const wanted = headings.length;
  if (wanted === 0) {
    return words > LONG_TEXT
      ? createFinding('keyphraseHeadings', 'none', 2, { words, most: LONG_TEXT })
      : createFinding('keyphraseHeadings', 'short', 9);
  }
  const found = headings.filter(({ sentences }) => {
    const stems = sentences.flatMap((sentence) => sentence.stems);
    return phrases.some((phrase) => matchesKeyphrase(stems, phrase));
  }).length;
  const values = { found, wanted, ...sharesOf(wanted) };
  if (wanted === 1 && found === 1) return createFinding('keyphraseHeadings', 'good', 9, values);
  if (found < wanted * LEAST_SHARE) return createFinding('keyphraseHeadings', 'few', 3, values);
  if (found > wanted * MOST_SHARE) return createFinding('keyphraseHeadings', 'many', 3, values);
  return createFinding('keyphraseHeadings', 'good', 9, values);
}

/** Returns how many of `all` are at least 30 and at most 75 percent. */
function sharesOf(all: number): { least: number; most: number } {
  const least = Math.ceil(all * LEAST_SHARE);
  return { least, most: Math.max(least, Math.floor(all * MOST_SHARE)) };
}

const MANY_IMAGES = 5;

function checkAlt({ images, phrases, rules, input }: ParsedText): Finding {
  const wanted = images.length;
  if (wanted === 0) return createFinding('keyphraseAlt', 'noImages', 3);
  const found = images.filter(({ alt }) => {
    const stems = stemText(alt, rules);
    return phrases.some((phrase) => matchesKeyphrase(stems, phrase));
  }).length;
  const shares = wanted < MANY_IMAGES ? { least: 1, most: wanted } : sharesOf(wanted);
  const values = { found, wanted, ...shares };
  const less = input.isCornerstone ? 3 : 6;
  if (found < shares.least) return createFinding('keyphraseAlt', 'few', less, values);
  return found > shares.most
    ? createFinding('keyphraseAlt', 'many', less, values)
    : createFinding('keyphraseAlt', 'good', 9, values);
}

function checkCompetingLinks({ links, phrases, rules }: ParsedText): Finding {
  const found = links.filter(({ text }) => {
    const words = splitLowerCaseWords(text, rules);
    const content = words.filter((word) => !rules?.functionWords.has(word));
    const stems = new Set((content.length > 0 ? content : words).map((word) => stemWord(word, rules)));
    return phrases.some((phrase) => stems.size === phrase.stems.size && [...stems].every((s) => phrase.stems.has(s)));
  }).length;
  return found === 0
    ? createFinding('competingLinks', 'good', 8)
    : createFinding('competingLinks', 'found', 2, { found });
}

function checkReuse({ input: { keyphraseUses: found } }: ParsedText): Finding[] {
  if (found === undefined) return [];
  if (found === 0) return [createFinding('keyphraseReuse', 'good', 9)];
  return [
    found === 1
      ? createFinding('keyphraseReuse', 'once', 6, { found })
      : createFinding('keyphraseReuse', 'often', 1, { found }),
  ];
}
