import type { CheckId } from '../types.ts';

/** Advice by check and outcome. Words in braces are filled with what was found and what is wanted. */
export const ENGLISH_ADVICE = {
  keyphraseLength: {
    none: 'No keyphrase yet. Enter the words by which people should find this page.',
    good: 'The keyphrase has {found} meaningful words. Good.',
    long: 'The keyphrase has {found} meaningful words. Shorten it to at most {most}.',
    short:
      'The keyphrase has {found} meaningful words. Use {least} to {most}, such as the kind of product, its material and its size.',
  },
  keyphraseIntroduction: {
    good: 'The first paragraph names the keyphrase in one sentence. Good.',
    spread: 'The first paragraph has the words of the keyphrase in different sentences. Put them into one sentence.',
    missing:
      'The first paragraph does not name the keyphrase. Say there in one sentence what the page is about, with its words.',
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
    good: '{found} of {wanted} subheadings (levels 2 and 3) name the keyphrase. Good.',
    few: '{found} of {wanted} subheadings (levels 2 and 3) name the keyphrase. Name it in at least {least}.',
    many: '{found} of {wanted} subheadings (levels 2 and 3) name the keyphrase. Name it in at most {most}, or add subheadings about other things.',
    none: 'The text has {words} words and no subheadings. From {most} words on, add subheadings (levels 2 and 3), and name the keyphrase in about half of them.',
    short: 'The text is short enough to do without subheadings. Good.',
  },
  keyphraseAlt: {
    good: '{found} of {wanted} alternative texts of pictures name the keyphrase. Good.',
    few: '{found} of {wanted} alternative texts of pictures name the keyphrase. Name it in at least {least}, where the picture shows it.',
    many: '{found} of {wanted} alternative texts of pictures name the keyphrase. Name it in at most {most}.',
    noImages: 'There is no picture whose alternative text could name the keyphrase. Add one.',
  },
  keyphraseReuse: {
    good: 'No other page has this keyphrase. Good.',
    once: '{found} other page has this keyphrase. Give each page its own.',
    often: '{found} other pages have this keyphrase. Give each page its own.',
  },
  functionWordsOnly: {
    notice: 'The keyphrase consists of words without a meaning of their own, such as "the" or "for". Add a noun.',
  },
  titleWidth: {
    good: 'The SEO title is {found} pixels wide; {most} are shown. Good.',
    wide: 'The SEO title is {found} pixels wide, but only {most} are shown. Shorten it; now it has {characters} characters.',
    none: 'There is no SEO title. Enter one of at most {most} pixels.',
  },
  descriptionLength: {
    good: 'The meta description has {found} characters. Good.',
    short: 'The meta description has {found} characters. Use the room: {least} to {most} are good.',
    long: 'The meta description has {found} characters and will be cut. Shorten it to {least} to {most}.',
    none: 'There is no meta description. Write one of {least} to {most} characters.',
  },
  textLength: {
    good: 'The text has {found} words; at least {least} are wanted. Good.',
    short: 'The text has {found} words. Write at least {least}.',
  },
  images: {
    good: 'Pictures: {found}. Good.',
    none: 'There is no picture. Add at least one.',
  },
  altTexts: {
    good: 'All {all} pictures have an alternative text. Good.',
    missing: '{found} of {all} pictures have no alternative text. Describe in it what the picture shows.',
  },
  internalLinks: {
    good: 'Links to other pages of this site: {found}. Good.',
    mixed: '{found} of {all} links to other pages of this site are marked nofollow. Remove the mark.',
    nofollow: 'All {found} links to other pages of this site are marked nofollow. Remove the mark.',
    none: 'No link leads to another page of this site. Add at least one.',
  },
  outboundLinks: {
    good: 'Links to other sites: {found}. Good.',
    mixed:
      '{found} of {all} links to other sites are marked nofollow. Keep the mark only for sites you do not vouch for.',
    nofollow:
      'All {found} links to other sites are marked nofollow. Keep the mark only for sites you do not vouch for.',
    none: 'No link leads to another site. Add one to a source, a standard or a partner.',
  },
  competingLinks: {
    good: 'No link to another page has the keyphrase as its text. Good.',
    found:
      '{found} links have the keyphrase as their text, as if the other page were the right one for it. Choose another text for them.',
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
    many: '{found} % of the sentences ({passive} of {all}) are in the passive voice. Say who does it, so that it is at most {most} %.',
  },
  transitionWords: {
    good: '{found} % of the sentences have a linking word; at least {least} % are good.',
    few: '{found} % of the sentences ({linked} of {all}) have a linking word. Join thoughts with words such as "because", "however" or "therefore", up to at least {least} %.',
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
