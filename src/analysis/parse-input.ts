import { languageRules, baseLanguageCode, type LanguageRules } from './languages/index.ts';
import { parseKeyphrase, stemWord, type Keyphrase, splitIntoSentences, tokenizeWords } from './text/keyphrase.ts';
import type { AnalysedImage, AnalysedLink, AnalysisInput } from './types.ts';
import { toSingleLine, forwardFinder, tagEndFinder } from '#contracts/scan-text.ts';
import { decodeEntities, INLINE_TAGS, parseAttributes } from '#contracts/html/html-text.ts';

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

/** Block of text. Only prose is split into sentences; the words of all blocks count. */
interface TextBlock {
  kind: 'heading' | 'prose' | 'other';
  /** Heading level from 1 to 6. */
  level: number | undefined;
  text: string;
}

interface ContentDocument {
  blocks: TextBlock[];
  links: AnalysedLink[];
  images: AnalysedImage[];
}

const OPENING = /<(\/?)([a-z][a-z\d-]{0,20})/iy;
const BLANK_LINE = /\n[\t\r ]*\n/;

/** Elements whose content is not text of the page. */
const SKIPPED = new Set('iframe noscript object script style svg template textarea title video audio'.split(' '));
const OTHER_BLOCKS = new Set('td th caption figcaption pre dt summary'.split(' '));

/** Extracts text blocks, links and images from untrusted HTML, rendered or as stored. */
export function parseContent(html: string): ContentDocument {
  const reader = new DocumentReader();
  const endOf = tagEndFinder(html);
  const commentEnd = forwardFinder(html, /-->/);
  const closings = new Map<string, (from: number) => RegExpExecArray | undefined>();
  const skipTo = (name: string, from: number): number => {
    const find = closings.get(name) ?? forwardFinder(html, new RegExp(`</${name}\\b`, 'i'));
    closings.set(name, find);
    return find(from)?.index ?? html.length;
  };
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    reader.text(html.slice(at, start < 0 ? html.length : start));
    if (start < 0) break;
    if (html.startsWith('<!--', start)) {
      const end = commentEnd(start);
      at = end ? end.index + end[0].length : html.length;
      continue;
    }
    OPENING.lastIndex = start;
    const opening = OPENING.exec(html);
    const end = opening ? endOf(start) : undefined;
    if (!opening || end === undefined) {
      reader.text('<');
      at = start + 1;
      continue;
    }
    const [source, slash, tag = ''] = opening;
    const name = tag.toLowerCase();
    if (slash) reader.close(name);
    else reader.open(name, html.slice(start + source.length, end - 1));
    at = !slash && SKIPPED.has(name) ? skipTo(name, end) : end;
  }
  return reader.finish();
}

class DocumentReader {
  readonly #document: ContentDocument = { blocks: [], links: [], images: [] };
  #chunks: string[] = [];
  #kind: TextBlock['kind'] = 'prose';
  #level: number | undefined;
  #link: { href: string; isFollowed: boolean; parts: string[] } | undefined;

  text(source: string): void {
    if (source === '') return;
    this.#link?.parts.push(source);
    // Stored texts without markup separate paragraphs by a blank line.
    const [first = '', ...rest] = this.#kind === 'prose' ? source.split(BLANK_LINE) : [source];
    this.#chunks.push(first);
    for (const paragraph of rest) {
      this.#flush();
      this.#chunks.push(paragraph);
    }
  }

  open(name: string, attributes: string): void {
    if (name === 'a') this.#openLink(attributes);
    else if (name === 'img') this.#document.images.push({ alt: parseAttributes(attributes)['alt'] ?? '' });
    else if (!INLINE_TAGS.has(name)) {
      this.#chunks.push(' ');
      this.#link?.parts.push(' ');
      if (name === 'br') return;
      this.#startBlock(name);
    }
  }

  close(name: string): void {
    if (name === 'a') this.#closeLink();
    else if (!INLINE_TAGS.has(name)) this.#startBlock('');
  }

  finish(): ContentDocument {
    this.#flush();
    this.#closeLink();
    return this.#document;
  }

  #startBlock(name: string): void {
    this.#flush();
    this.#level = /^h[1-6]$/.test(name) ? Number(name[1]) : undefined;
    if (this.#level !== undefined) this.#kind = 'heading';
    else this.#kind = OTHER_BLOCKS.has(name) ? 'other' : 'prose';
  }

  #flush(): void {
    const text = toSingleLine(decodeEntities(this.#chunks.join('')));
    if (text !== '') this.#document.blocks.push({ kind: this.#kind, level: this.#level, text });
    this.#chunks = [];
  }

  #openLink(attributes: string): void {
    this.#closeLink();
    const { href = '', rel = '' } = parseAttributes(attributes);
    if (href.trim() === '') return;
    this.#link = { href: href.trim(), isFollowed: !/\bnofollow\b/i.test(rel), parts: [] };
  }

  #closeLink(): void {
    if (!this.#link) return;
    const { href, isFollowed, parts } = this.#link;
    this.#document.links.push({ href, isFollowed, text: toSingleLine(decodeEntities(parts.join(''))) });
    this.#link = undefined;
  }
}
