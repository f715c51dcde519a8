const FUNCTION_WORDS = parseWordList(`
  a an the this that these those my your his her its our their mine yours hers ours theirs
  i you he she it we they me him us them myself yourself himself herself itself ourselves themselves
  who whom whose which what when where why how
  and or but nor so yet for if because although though while whereas unless until than as whether
  in on at by with from to of off over under above below between behind beside into onto through during before after
  against about around across along among within without up down out per via since toward towards upon
  am is are was were be been being have has had having do does did doing done will would shall should can could may might
  must not no only also very just too more most some any each every all both either neither such here there then now
  isn't aren't don't doesn't can't won't it's you're we're i'm let's
`);

const TRANSITIONS = parsePhraseList(`
  above all, accordingly, additionally, after, afterward, afterwards, albeit, also, although, altogether, another
  as a result, as long as, as soon as, as well as, at first, at last, at the same time, because, before, besides, but
  by contrast, certainly, consequently, conversely, e g, especially, even if, even though, eventually, finally, first
  firstly, for example, for instance, for this reason, for that reason, furthermore, hence, however, if, i e, in addition
  in brief, in case, in conclusion, in contrast, in fact, in other words, in particular, in short, in spite of, in summary
  in the same way, in this case, in turn, indeed, instead, last, lastly, later, likewise, meanwhile, moreover, namely
  nevertheless, next, nonetheless, not only, nor, now that, on the contrary, on the one hand, on the other hand, on top of that
  otherwise, overall, provided that, rather, second, secondly, similarly, since, so that, specifically, still, subsequently
  such as, that is, then, therefore, third, thirdly, though, thus, to begin with, to sum up, unless, unlike, until
  whenever, whereas, whether, while, with this in mind, yet, in order to, so, once, that is why, what is more, when
`);

const BE = parseWordList('am is are was were be been being get gets got getting isn aren wasn weren');

/** Past participles without `-ed` of verbs in product texts. */
const IRREGULAR = parseWordList(`
  beaten become begun bent bound bitten blown bought bred broken brought built burnt caught chosen cut dealt done drawn
  driven drunk eaten fallen fed felt fixed flown forgotten found frozen given ground grown hidden held hit hung heard
  hurt kept known laid led left lent let lit lost made meant met overcome paid proven put read reset rewritten ridden
  risen run sawn said seen sent set sewn shaken shown shot shut sold sought spent split spread spun stolen stood struck
  stuck sunk sworn swept taken taught thrown told torn understood undone upheld withdrawn withheld won worn wound woven
  written rebuilt undertaken overdrawn inlaid welded cast
`);

const NON_PARTICIPLES = parseWordList(
  'need needed seed feed speed breed bleed weed deed exceed succeed proceed indeed hundred red bed shed sled embed naked sacred wicked rugged',
);

/** Words that start a new noun phrase, so that a following participle describes the noun. */
const STOPS = parseWordList(
  'a an the this that these those my your our their its his her which who and or but if when because',
);
const MOST_WORDS_BETWEEN = 3;

function isParticiple(word: string): boolean {
  if (NON_PARTICIPLES.has(word)) return false;
  return IRREGULAR.has(word) || (word.length > 3 && word.endsWith('ed'));
}

function isPassive(clause: readonly string[]): boolean {
  const words = clause.map((word) => word.toLowerCase().replace(/['’]\p{L}{1,3}$/u, ''));
  return words.some((word, at) => {
    if (!BE.has(word)) return false;
    for (const next of words.slice(at + 1, at + 2 + MOST_WORDS_BETWEEN)) {
      if (STOPS.has(next)) return false;
      if (isParticiple(next)) return true;
    }
    return false;
  });
}

/** Removes endings of plural, possessive and verb forms. */
function stem(word: string): string {
  let rest = removeAccents(word).replace(/['’]s?$/, '');
  if (rest.length > 4 && rest.endsWith('ies')) rest = `${rest.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(rest) && rest.length > 4) rest = rest.slice(0, -2);
  else if (rest.length > 3 && /[^sui]s$/.test(rest)) rest = rest.slice(0, -1);
  const verb = /^(.{3,})(?:ing|ed)$/.exec(rest)?.[1];
  if (verb !== undefined && /[aeiouy]/.test(verb)) rest = verb.replace(/([bdfgmnprt])\1$/, '$1');
  return rest.length > 3 && rest.endsWith('e') ? rest.slice(0, -1) : rest;
}

function syllables(word: string): number {
  const spoken = word
    .replace(/(?:[^laeiouysxzhgc]es|[^td]ed|[^l]e)$/, (ending) => ending.charAt(0))
    .replace(/^y/, '')
    .replace(/ia|io(?!n)|ua(?!r)|eo|ea$/g, 'a-a');
  return Math.max(1, spoken.match(/[aeiouyé]+/g)?.length ?? 0);
}

export const ENGLISH: LanguageRules = {
  functionWords: FUNCTION_WORDS,
  transitions: TRANSITIONS,
  weakBeginnings: parseWordList('the a an this that these those'),
  abbreviations: parseWordList(
    'approx dept dr e.g etc fig i.e inc incl ltd max min mr mrs ms no nos prof st vs vol co corp in ft',
  ),
  hasOrdinalStops: false,
  splitsAtApostrophes: false,
  stem,
  syllables,
  // Flesch 1948.
  readingEase: (wordsPerSentence, syllablesPerWord) => 206.835 - 1.015 * wordsPerSentence - 84.6 * syllablesPerWord,
  isPassive,
};

/** Rules of one language for text analysis. */
export interface LanguageRules {
  /** Articles, pronouns, prepositions and auxiliaries, in lower case. */
  functionWords: ReadonlySet<string>;
  transitions: PhraseSet;
  /** Words that say little at the start of a sentence, so the next word is compared too. */
  weakBeginnings: ReadonlySet<string>;
  /** Abbreviations without their final full stop, such as `z.b` or `ca`. */
  abbreviations: ReadonlySet<string>;
  /** True if `3. ` is an ordinal number rather than the end of a sentence. */
  hasOrdinalStops: boolean;
  splitsAtApostrophes: boolean;
  /** Returns the word without its ending, so that forms of one word are equal. Lower case in, lower case out. */
  stem(word: string): string;
  /** Counts syllables, at least 1. Expects lower case. */
  syllables(word: string): number;
  /** Computes reading ease from words per sentence and syllables per word. */
  readingEase(wordsPerSentence: number, syllablesPerWord: number): number;
  /** True if a clause is in the passive voice. Expects the original letter case. */
  isPassive(clause: readonly string[]): boolean;
}

/** Phrases of one or more words, by their first word. */
type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Parses a list of words separated by whitespace. */
export function parseWordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Parses a list of phrases separated by line breaks or commas. */
export function parsePhraseList(text: string): PhraseSet {
  const phrases = new Map<string, (readonly string[])[]>();
  for (const phrase of text.split(/[,\n]/)) {
    const [first = '', ...rest] = phrase.trim().split(/[\s'’-]+/);
    const known = phrases.get(first);
    if (known) known.push(rest);
    else if (first !== '') phrases.set(first, [rest]);
  }
  return phrases;
}

/** True if the words contain one of the phrases. Expects lower case. */
export function containsPhrase(words: readonly string[], phrases: PhraseSet): boolean {
  return words.some((word, at) =>
    (phrases.get(word) ?? []).some((rest) => rest.every((next, n) => words[at + 1 + n] === next)),
  );
}

/** Removes accents and replaces `ß` by `ss`. */
export function removeAccents(word: string): string {
  if (/^[a-z\d]*$/.test(word)) return word;
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe').normalize('NFC');
}
