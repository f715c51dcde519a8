import { languageRules, baseLanguageCode, type LanguageRules } from './languages/index.ts';
import { parseKeyphrase, stemWord, type Keyphrase } from './text/keyphrase.ts';
import { parseContent, type TextBlock } from './text/parse-content.ts';
import { splitIntoSentences, tokenizeWords } from './text/sentences.ts';
import type { AnalysedImage, AnalysedLink, AnalysisInput } from './types.ts';

/** Parsed input that all checks share. */
export interface ParsedText {
  input: AnalysisInput;
  language: string;
  rules: LanguageRules | undefined;
  blocks: readonly ParsedBlock[];
  /** All words of the content, headings included. */
  words: number;
  sentences: readonly Sentence[];
  links: readonly AnalysedLink[];
  images: readonly AnalysedImage[];
  keyphrase: Keyphrase | undefined;
  /** The keyphrase and its synonyms. */
  phrases: readonly Keyphrase[];
}

export interface ParsedBlock extends TextBlock {
  words: number;
  sentences: readonly Sentence[];
}

export interface Sentence {
  text: string;
  /** In the original letter case. */
  words: readonly string[];
  /** Lower case, without endings. */
  stems: readonly string[];
}

const MAX_SYNONYMS = 10;

export function parseInput(input: AnalysisInput): ParsedText {
  const rules = languageRules(input.language);
  const content = parseContent(input.html);
  const blocks = content.blocks.map((block): ParsedBlock => {
    const sentences = splitIntoSentences(block.text, rules).map((text) => readSentence(text, rules));
    return { ...block, sentences, words: sentences.reduce((sum, { words }) => sum + words.length, 0) };
  });
  const keyphrase = parseKeyphrase(input.keyphrase, rules);
  const synonyms = (input.synonyms ?? []).slice(0, MAX_SYNONYMS).map((text) => parseKeyphrase(text, rules));
  return {
    input,
    language: baseLanguageCode(input.language),
    rules,
    blocks,
    words: blocks.reduce((sum, { words }) => sum + words, 0),
    sentences: blocks.filter(({ kind }) => kind === 'prose').flatMap(({ sentences }) => sentences),
    links: [...content.links, ...(input.links ?? [])],
    images: [...content.images, ...(input.images ?? [])],
    keyphrase,
    phrases: keyphrase ? [keyphrase, ...synonyms].filter((phrase) => phrase !== undefined) : [],
  };
}

function readSentence(text: string, rules: LanguageRules | undefined): Sentence {
  const words = tokenizeWords(text, rules);
  return { text, words, stems: words.map((word) => stemWord(word.toLowerCase(), rules)) };
}
