import { and, eq, like, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Letters that fold to two letters. */
const DIGRAPHS = Object.entries({ ß: 'ss', ẞ: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe' });

/** Letters with a stroke, which Unicode doesn't decompose. */
const STROKED: Readonly<Record<string, string>> = { ø: 'o', Ø: 'o', ł: 'l', Ł: 'l', đ: 'd', Đ: 'd', ı: 'i' };

const ACCENTED_RANGES = [
  [0xc0, 0x24f],
  [0x370, 0x45f],
  [0x1e00, 0x1eff],
] as const;

/** Mapping of `foldText` per letter. */
const PAIRS = listPairs();

/** Letters that fold to another letter, by that letter. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(PAIRS, ([, folded]) => folded)].map(([folded, pairs]) => [folded, pairs.map(([letter]) => letter)]),
);

/** Combining accents, which are removed. */
const MARKS = Array.from({ length: 0x70 }, (_, i) => String.fromCodePoint(0x300 + i)).join('');
const ANY_MARKS = '[\u0300-\u036F]*';

const MAX_TERMS = 9;

const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/** Matches rows that contain every included term in one of the columns, and no excluded term in any. */
export function searchCondition(
  { wanted, unwanted }: SearchTerms,
  columns: readonly SQLWrapper[],
  isExact: boolean,
): SQL | undefined {
  const isFound = (term: string) => or(...columns.map((column) => matchesTerm(column, term, isExact))) ?? sql`false`;
  return and(...wanted.map(isFound), ...unwanted.map((term) => not(isFound(term))));
}

/** Compiling a regular expression takes 2 ms at this length, and 150 ms at ten times the length. */
const MAX_EXPRESSION_LETTERS = 300;

/**
 * Condition that is true if a column contains or equals a term, ignoring case and accents. Wildcards are literal.
 *
 * A regular expression with all forms of each letter takes a hundredth of the time of folding the column.
 */
export function matchesTerm(column: SQLWrapper, term: string, isExact = false): SQL {
  const letters = [...foldText(term)];
  const isWhole = letters.length <= MAX_EXPRESSION_LETTERS;
  const [begin, end] = isExact ? [`^${ANY_MARKS}`, isWhole ? '$' : ''] : ['', ''];
  const expression = begin + letters.slice(0, MAX_EXPRESSION_LETTERS).map(letterPattern).join('') + end;
  const matchesPrefix = sql`${doubleColumn(column)} ~ ${expression}`;
  if (isWhole) return matchesPrefix;
  const folded = foldColumn(column);
  const whole = letters.join('');
  return sql`case when ${matchesPrefix} then ${isExact ? eq(folded, whole) : like(folded, `%${escapeLike(whole)}%`)} else false end`;
}

/** Regular expression for all forms of a letter, with combining accents. */
function letterPattern(letter: string): string {
  const upper = letter.toUpperCase();
  const forms = [
    letter,
    ...(upper !== letter && foldText(upper) === letter ? [upper] : []),
    ...(FORMS.get(letter) ?? []),
  ];
  const [only = ''] = forms;
  if (forms.length > 1) return `[${forms.join('')}]${ANY_MARKS}`;
  return (/^[!-/:-@[-`{-~]$/.test(only) ? `\\${only}` : only) + ANY_MARKS;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/**
 * Ranks rows by relevance, best first.
 *
 * One term: title before elsewhere. Several terms: phrase in the title, all in the title, one in the title, phrase in
 * the excerpt, phrase in the content, rest.
 */
export function rankRelevance(
  { wanted, phrase }: SearchTerms,
  columns: { title: SQLWrapper; excerpt: SQLWrapper; content: SQLWrapper },
): SQL<number> {
  const inTitle = wanted.map((term) => matchesTerm(columns.title, term));
  const classes =
    wanted.length < 2
      ? inTitle
      : [
          matchesTerm(columns.title, phrase),
          and(...inTitle),
          or(...inTitle),
          matchesTerm(columns.excerpt, phrase),
          matchesTerm(columns.content, phrase),
        ];
  const cases = classes.map((condition, rank) => sql`when ${condition} then ${sql.raw(String(rank))}`);
  if (cases.length === 0) return sql<number>`0`;
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.raw(String(cases.length))} end`;
}

/** A parsed search query. */
export interface SearchTerms {
  /** Terms that must all occur. */
  wanted: readonly string[];
  /** Terms that must not occur. */
  unwanted: readonly string[];
  /** Complete query, to match as a phrase. */
  phrase: string;
}

/**
 * Parses `search`: words separated by spaces and commas, phrases in double quotes, and a minus before excluded terms.
 *
 * Stop words and single letters are dropped. If no term or too many are left, the complete text is one phrase.
 */
export function parseSearch(text: string): SearchTerms | undefined {
  const phrase = text.trim();
  if (phrase === '') return undefined;
  const terms = [...phrase.matchAll(/"([^"]*)"?|[^\s,"]+/g)].map((match) => match[1]?.trim() ?? match[0]);
  const significant = terms.filter((term) => term !== '' && !isNoise(term));
  if (significant.length === 0 || significant.length > MAX_TERMS) return { wanted: [phrase], unwanted: [], phrase };
  return {
    wanted: significant.filter((term) => !term.startsWith('-')),
    unwanted: significant.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
    phrase,
  };
}

function isNoise(term: string): boolean {
  return /^[a-z-]$/i.test(term) || STOP_WORDS.has(term.toLowerCase());
}

/** Removes case and accents, to compare user input with stored text. */
export function foldText(text: string): string {
  const expanded = DIGRAPHS.reduce((folded, [letter, letters]) => folded.replaceAll(letter, letters), text);
  return [...expanded.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => STROKED[letter] ?? letter.toLowerCase())
    .join('');
}

/**
 * Does the same in SQL, without extensions and independent of the locale of the database.
 *
 * It translates each letter by a list of a thousand: suitable for names, not for long texts.
 */
export function foldColumn(column: SQLWrapper): SQL<string> {
  const from = PAIRS.map(([letter]) => letter).join('') + MARKS;
  const to = PAIRS.map(([, folded]) => folded).join('');
  return sql<string>`translate(lower(${doubleColumn(column)}), ${quote(from)}, ${quote(to)})`;
}

function doubleColumn(column: SQLWrapper): SQLWrapper {
  return DIGRAPHS.reduce<SQLWrapper>(
    (folded, [letter, letters]) => sql`replace(${folded}, ${quote(letter)}, ${quote(letters)})`,
    column,
  );
}

function listPairs(): (readonly [letter: string, folded: string])[] {
  return ACCENTED_RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).flatMap((letter) => {
      const folded = foldText(letter);
      return folded !== letter && [...folded].length === 1 ? [[letter, folded] as const] : [];
    }),
  );
}

function quote(constant: string): SQL {
  return sql.raw(`'${constant.replaceAll("'", "''")}'`);
}
