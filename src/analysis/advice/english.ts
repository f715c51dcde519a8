import type { CheckId } from '../types.ts';

/** Advice by check and outcome. Placeholders in braces are filled with the measured and recommended values. */
export const ENGLISH_ADVICE = {
  keyphraseLength: {
    none: 'No keyphrase yet. Enter the words that people should find this page with.',
    good: 'The keyphrase has {found} meaningful words. Good.',
    long: 'The keyphrase has {found} meaningful words. Shorten it to at most {most}.',
    short:
      'The keyphrase has {found} meaningful words. Use {least} to {most}, such as the kind of product, its material and its size.',
  },
  keyphraseIntroduction: {
    good: 'The first paragraph contains the keyphrase in one sentence. Good.',
    spread: 'The first paragraph spreads the keyphrase over several sentences. Put them into one sentence.',
    missing:
      'The first paragraph does not contain the keyphrase. Use it there in one sentence that says what the page is about.',
  },
  keyphraseDensity: {
    good: 'The keyphrase occurs {found} times in {words} words. Good.',
    few: 'The keyphrase occurs {found} times in {words} words. Use it at least {least} times.',
    many: 'The keyphrase occurs {found} times in {words} words. Use it at most {most} times.',
    noText: 'There is no text yet. Write one that uses the keyphrase.',
  },
  keyphraseTitle: {
    good: 'The SEO title begins with the keyphrase. Good.',
    later: 'The SEO title has the keyphrase, but not at its start. Move it to the start.',
    words: 'The SEO title has the words of the keyphrase, but not as entered. Begin it with the exact keyphrase.',
    missing: 'The SEO title lacks the keyphrase. Begin it with the keyphrase.',
  },
  keyphraseDescription: {
    good: 'The meta description has the keyphrase {found} times. Good.',
    missing: 'The meta description lacks the keyphrase. Use it there once or twice.',
    many: 'The meta description has the keyphrase {found} times. Use it at most {most} times.',
  },
  keyphraseSlug: {
    good: 'The slug has the keyphrase. Good.',
    part: 'The slug has {found} of {wanted} words of the keyphrase. Add the missing ones.',
    missing: 'The slug lacks the keyphrase. Use its words there.',
  },
  keyphraseHeadings: {
    good: '{found} of {wanted} subheadings (levels 2 and 3) contain the keyphrase. Good.',
    few: '{found} of {wanted} subheadings (levels 2 and 3) contain the keyphrase. Use it in at least {least}.',
    many: '{found} of {wanted} subheadings (levels 2 and 3) contain the keyphrase. Use it in at most {most}, or add subheadings about other topics.',
    none: 'The text has {words} words and no subheadings. From {most} words on, add subheadings (levels 2 and 3), and use the keyphrase in about half of them.',
    short: 'The text is short enough to do without subheadings. Good.',
  },
  keyphraseAlt: {
    good: '{found} of {wanted} image alternative texts contain the keyphrase. Good.',
    few: '{found} of {wanted} image alternative texts contain the keyphrase. Use it in at least {least}, where the image shows it.',
    many: '{found} of {wanted} image alternative texts contain the keyphrase. Use it in at most {most}.',
    noImages: 'There is no image whose alternative text could contain the keyphrase. Add one.',
  },
  keyphraseReuse: {
    good: 'No other page has this keyphrase. Good.',
    once: '{found} other page has this keyphrase. Give each page its own.',
    often: '{found} other pages have this keyphrase. Give each page its own.',
  },
  functionWordsOnly: {
    notice: 'The keyphrase consists only of function words, such as "the" or "for". Add a noun.',
  },
  titleWidth: {
    good: 'The SEO title is {found} pixels wide; {most} are shown. Good.',
    wide: 'The SEO title is {found} pixels wide, but only {most} are shown. Shorten it; now it has {characters} characters.',
    none: 'There is no SEO title. Enter one of at most {most} pixels.',
  },
  descriptionLength: {
    good: 'The meta description has {found} characters. Good.',
    short: 'The meta description has {found} characters. Extend it: {least} to {most} are good.',
    long: 'The meta description has {found} characters and will be cut. Shorten it to {least} to {most}.',
    none: 'There is no meta description. Write one of {least} to {most} characters.',
  },
  textLength: {
    good: 'The text has {found} words; at least {least} are wanted. Good.',
    short: 'The text has {found} words. Write at least {least}.',
  },
  images: {
    good: 'Images: {found}. Good.',
    none: 'There is no image. Add at least one.',
  },
  altTexts: {
    good: 'All {all} images have an alternative text. Good.',
    missing: '{found} of {all} images have no alternative text. Describe what the image shows.',
  },
  internalLinks: {
    good: 'Links to other pages of this site: {found}. Good.',
    mixed: '{found} of {all} links to other pages of this site are marked nofollow. Remove the mark.',
    nofollow: 'All {found} links to other pages of this site are marked nofollow. Remove the mark.',
    none: 'There is no link to another page of this site. Add at least one.',
  },
  outboundLinks: {
    good: 'Links to other sites: {found}. Good.',
    mixed:
      '{found} of {all} links to other sites are marked nofollow. Keep the mark only for sites you do not vouch for.',
    nofollow:
      'All {found} links to other sites are marked nofollow. Keep the mark only for sites you do not vouch for.',
    none: 'There is no link to another site. Add one to a source, a standard or a partner.',
  },
  competingLinks: {
    good: 'No link to another page has the keyphrase as its text. Good.',
    found:
      '{found} links have the keyphrase as their text, which suggests that the other page is the better match. Choose another text for them.',
  },
  singleH1: {
    good: 'The text has no more than one heading of level 1. Good.',
    many: 'The text has {found} headings of level 1. Keep at most 1 and make the others level 2.',
  },
  gtin: {
    good: 'The product has a GTIN. Good.',
    none: 'The product has no GTIN. Enter it, so that search engines and shops recognise the product.',
  },
  sku: {
    good: 'The product has an article number. Good.',
    none: 'The product has no article number. Enter it.',
  },
  textPresence: {
    none: 'The text has {found} characters. Write at least {least}, so that it can be checked.',
  },
  headingDistribution: {
    good: 'The longest section has {found} words; up to {most} are good.',
    short: 'The text has {found} words; subheadings are needed from {most} on. Good.',
    none: 'The text has {found} words and no subheadings. Add one at least every {most} words.',
    long: 'A section has {found} words without a subheading. Add subheadings, so that none has more than {most}.',
  },
  paragraphLength: {
    good: 'The longest paragraph has {found} words; up to {most} are good.',
    long: 'Paragraphs that are too long: {long}; the longest has {found} words. Split them into paragraphs of at most {most}.',
  },
  sentenceLength: {
    good: '{found} % of the sentences have more than {words} words; up to {most} % are good.',
    many: '{found} % of the sentences ({long} of {all}) have more than {words} words. Split some, so that it is at most {most} %.',
  },
  sentenceBeginnings: {
    good: 'The beginnings of sentences vary. Good.',
    many: '{found} sentences in a row begin with "{word}". Rewrite some, so that it is at most {most}.',
  },
  passiveVoice: {
    good: '{found} % of the sentences are in the passive voice; up to {most} % are good.',
    many: '{found} % of the sentences ({passive} of {all}) are in the passive voice. Use the active voice, so that it is at most {most} %.',
  },
  transitionWords: {
    good: '{found} % of the sentences have a linking word; at least {least} % are good.',
    few: '{found} % of the sentences ({linked} of {all}) have a linking word. Connect sentences with words such as "because", "however" or "therefore", up to at least {least} %.',
    short: 'The text is short enough to do without linking words. Good.',
  },
  readingEase: {
    easy: 'Reading ease: {found} of 100. The text is easy to read.',
    medium:
      'Reading ease: {found} of 100. The text needs some attention. Shorter sentences and words make it easier; 60 is easy.',
    hard: 'Reading ease: {found} of 100. The text is hard to read. Use shorter sentences and words; 60 is easy.',
  },
} as const satisfies Record<CheckId, Readonly<Record<string, string>>>;

export type Advice = { readonly [Id in CheckId]: Readonly<Record<keyof (typeof ENGLISH_ADVICE)[Id], string>> };
