import { languageRules, plainCode, type LanguageRules } from './languages/index.ts';
import { readKeyphrase, stemOf, type Keyphrase } from './text/keyphrase.ts';
import { readDocument, type TextBlock } from './text/read-document.ts';
import { sentencesOf, wordsOf } from './text/sentences.ts';
import type { AnalysedImage, AnalysedLink, AnalysisInput } from './types.ts';

/** Parsed input that all checks share. */
export interface Paper {
  input: AnalysisInput;
  language: string;
  rules: LanguageRules | undefined;
  blocks: readonly PaperBlock[];
  /** All words of the content, headings included. */
  words: number;
  sentences: readonly Sentence[];
  links: readonly AnalysedLink[];
  images: readonly AnalysedImage[];
  keyphrase: Keyphrase | undefined;
  /** The keyphrase and its synonyms. */
  phrases: readonly Keyphrase[];
}

export interface PaperBlock extends TextBlock {
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

export function readPaper(input: AnalysisInput): Paper {
  const rules = languageRules(input.language);
  const content = readDocument(input.html);
  const blocks = content.blocks.map((block): PaperBlock => {
    const sentences = sentencesOf(block.text, rules).map((text) => readSentence(text, rules));
    return { ...block, sentences, words: sentences.reduce((sum, { words }) => sum + words.length, 0) };
  });
  const keyphrase = readKeyphrase(input.keyphrase, rules);
  const synonyms = (input.synonyms ?? []).slice(0, MAX_SYNONYMS).map((text) => readKeyphrase(text, rules));
  return {
    input,
    language: plainCode(input.language),
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
  const words = wordsOf(text, rules);
  return { text, words, stems: words.map((word) => stemOf(word.toLowerCase(), rules)) };
}
