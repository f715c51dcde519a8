import { createFinding, scoreByBand, type Finding } from '../advice/index.ts';
import { containsPhrase, maxSentenceWords } from '../languages/index.ts';
import type { ParsedText, Sentence } from '../parse-input.ts';
import { splitClauses, tokenizeWords } from '../text/keyphrase.ts';

const LEAST_CHARACTERS = 50;

/** Checks readability. Languages without rules skip the checks that need them. */
export function checkReadability(paper: ParsedText): Finding[] {
  const characters = paper.blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters < LEAST_CHARACTERS) {
    return [createFinding('textPresence', 'none', 3, { found: characters, least: LEAST_CHARACTERS })];
  }
  return [
    checkHeadingDistribution(paper),
    checkParagraphs(paper),
    checkSentenceLength(paper),
    checkBeginnings(paper),
    ...(paper.rules ? [checkPassive(paper), checkTransitions(paper)] : []),
    ...checkReadingEase(paper),
  ];
}

const LONG_TEXT = 300;
const LONG_SECTION = 350;

function checkHeadingDistribution({ blocks, words }: ParsedText): Finding {
  const values = { most: LONG_TEXT };
  if (words <= LONG_TEXT) return createFinding('headingDistribution', 'short', 9, { found: words, ...values });
  let longest = 0;
  let section = 0;
  for (const block of blocks) {
    section = block.kind === 'heading' ? 0 : section + block.words;
    longest = Math.max(longest, section);
  }
  if (blocks.every(({ kind }) => kind !== 'heading')) {
    return createFinding('headingDistribution', 'none', 2, { found: words, ...values });
  }
  if (longest <= LONG_TEXT) return createFinding('headingDistribution', 'good', 9, { found: longest, ...values });
  return createFinding('headingDistribution', 'long', longest > LONG_SECTION ? 3 : 6, { found: longest, ...values });
}

const LONG_PARAGRAPH = 150;
const VERY_LONG_PARAGRAPH = 200;

function checkParagraphs({ blocks }: ParsedText): Finding {
  const lengths = blocks.filter(({ kind }) => kind === 'prose').map(({ words }) => words);
  const longest = lengths.reduce((most, words) => Math.max(most, words), 0);
  const long = lengths.filter((words) => words > LONG_PARAGRAPH).length;
  const values = { found: longest, most: LONG_PARAGRAPH, long };
  if (long === 0) return createFinding('paragraphLength', 'good', 9, values);
  return createFinding('paragraphLength', 'long', longest > VERY_LONG_PARAGRAPH ? 3 : 6, values);
}

/** Share in percent with one decimal place, as advice shows it. */
function percentOf(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((part / all) * 1000) / 10;
}

function checkSentenceLength({ sentences, language }: ParsedText): Finding {
  const longest = maxSentenceWords(language);
  const long = sentences.filter(({ words }) => words.length > longest).length;
  const found = percentOf(long, sentences.length);
  const values = { found, most: 25, long, all: sentences.length, words: longest };
  if (found <= 25) return createFinding('sentenceLength', 'good', 9, values);
  return createFinding('sentenceLength', 'many', found <= 30 ? 6 : 3, values);
}

const SAME_BEGINNINGS = 3;

function checkBeginnings({ sentences, rules }: ParsedText): Finding {
  let longest = 0;
  let run = 0;
  let before: string | undefined;
  let repeated = '';
  for (const { words } of sentences) {
    const [first = '', second = ''] = words.slice(0, 2).map((word) => word.toLowerCase());
    const beginning = rules?.weakBeginnings.has(first) ? `${first} ${second}` : first;
    run = beginning === before ? run + 1 : 1;
    before = beginning;
    if (run > longest) [longest, repeated] = [run, beginning];
  }
  if (longest < SAME_BEGINNINGS) return createFinding('sentenceBeginnings', 'good', 9);
  return createFinding('sentenceBeginnings', 'many', 3, { found: longest, most: SAME_BEGINNINGS - 1, word: repeated });
}

function checkPassive({ sentences, rules }: ParsedText): Finding {
  const isPassive = ({ text }: Sentence) =>
    splitClauses(text).some((clause) => rules?.isPassive(tokenizeWords(clause, rules)));
  const passive = sentences.filter(isPassive).length;
  const found = percentOf(passive, sentences.length);
  const values = { found, most: 10, passive, all: sentences.length };
  if (found <= 10) return createFinding('passiveVoice', 'good', 9, values);
  return createFinding('passiveVoice', 'many', found <= 15 ? 6 : 3, values);
}

const SHORT_TEXT = 200;

function checkTransitions({ sentences, words, rules }: ParsedText): Finding {
  const isLinked = ({ words }: Sentence) =>
    rules !== undefined &&
    containsPhrase(
      words.map((word) => word.toLowerCase()),
      rules.transitions,
    );
  const linked = sentences.filter(isLinked).length;
  const found = percentOf(linked, sentences.length);
  const values = { found, least: 30, linked, all: sentences.length };
  if (words <= SHORT_TEXT) return createFinding('transitionWords', 'short', 9, values);
  const score = scoreByBand(found, [
    [30, 9],
    [20, 6],
    [0, 3],
  ]);
  return createFinding('transitionWords', score === 9 ? 'good' : 'few', score, values);
}

function checkReadingEase(paper: ParsedText): Finding[] {
  const found = computeReadingEase(paper);
  if (found === undefined) return [];
  const outcome = found >= 60 ? 'easy' : found >= 30 ? 'medium' : 'hard';
  return [createFinding('readingEase', outcome, 0, { found })];
}

/**
 * Flesch reading ease from 0 (hard) to 100 (easy); undefined without sentences or without a formula for the language.
 */
export function computeReadingEase({ sentences, rules }: ParsedText): number | undefined {
  if (!rules || sentences.length === 0) return undefined;
  const words = sentences.flatMap((sentence) => sentence.words);
  const syllables = words.reduce((sum, word) => sum + rules.syllables(word.toLowerCase()), 0);
  const ease = rules.readingEase(words.length / sentences.length, syllables / words.length);
  return Math.max(0, Math.min(100, Math.round(ease)));
}
