import { and, eq, like, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Letters that stand for two. */
const DOUBLE: readonly (readonly [string, string])[] = [
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'ae'],
  ['œ', 'oe'],
  ['Œ', 'oe'],
];

/** Letters whose stroke is no accent that Unicode would take off. */
const STROKED: Readonly<Record<string, string>> = { ø: 'o', Ø: 'o', ł: 'l', Ł: 'l', đ: 'd', Đ: 'd', ı: 'i' };

const ACCENTED_RANGES = [
  [0xc0, 0x24f],
  [0x370, 0x45f],
  [0x1e00, 0x1eff],
] as const;

/** Letter by letter what `foldText` does. */
const PAIRS = listPairs();

/** What becomes a letter, besides itself. */
const FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(PAIRS, ([, folded]) => folded)].map(([folded, pairs]) => [folded, pairs.map(([letter]) => letter)]),
);

/** Accents that follow their letters, and become nothing. */
const MARKS = Array.from({ length: 0x70 }, (_, i) => String.fromCodePoint(0x300 + i)).join('');
const ANY_MARKS = '[\u0300-\u036F]*';

const MAX_TERMS = 9;

const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/** Rows that hold every wanted term in one of the columns, and no unwanted one in any. */
export function searchCondition(
  { wanted, unwanted }: SearchTerms,
  columns: readonly SQLWrapper[],
  isExact: boolean,
): SQL | undefined {
  const found = (term: string) => or(...columns.map((column) => matches(column, term, isExact))) ?? sql`false`;
  return and(...wanted.map(found), ...unwanted.map((term) => not(found(term))));
}

/** Compiling an expression takes more than its length: 2 ms for so many letters, 150 ms for ten times as many. */
const MAX_EXPRESSION_LETTERS = 300;

/**
 * Whether a column holds a term, or is the term; case and accents do not count, wildcards stand for themselves. An
 * expression that knows all forms of each letter takes a hundredth of the time of folding the texts of the column.
 */
export function matches(column: SQLWrapper, term: string, isExact = false): SQL {
  const letters = [...foldText(term)];
  const isWhole = letters.length <= MAX_EXPRESSION_LETTERS;
  const [begin, end] = isExact ? [`^${ANY_MARKS}`, isWhole ? '$' : ''] : ['', ''];
  const expression = begin + letters.slice(0, MAX_EXPRESSION_LETTERS).map(anyForm).join('') + end;
  const holds = sql`${doubleColumn(column)} ~ ${expression}`;
  if (isWhole) return holds;
  const folded = foldColumn(column);
  const whole = letters.join('');
  return sql`case when ${holds} then ${isExact ? eq(folded, whole) : like(folded, `%${escapeLike(whole)}%`)} else false end`;
}

/** An expression for what becomes a letter when it is folded, with the accents that follow it. */
function anyForm(letter: string): string {
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
 * How well a row answers a search, the best first: one term in the title before elsewhere; of several terms the
 * phrase in the title, all of them in the title, one of them, the phrase in the excerpt, in the content, the rest.
 */
export function rankRelevance(
  { wanted, phrase }: SearchTerms,
  columns: { title: SQLWrapper; excerpt: SQLWrapper; content: SQLWrapper },
): SQL<number> {
  const inTitle = wanted.map((term) => matches(columns.title, term));
  const classes =
    wanted.length < 2
      ? inTitle
      : [
          matches(columns.title, phrase),
          and(...inTitle),
          or(...inTitle),
          matches(columns.excerpt, phrase),
          matches(columns.content, phrase),
        ];
  const cases = classes.map((condition, rank) => sql`when ${condition} then ${sql.raw(String(rank))}`);
  if (cases.length === 0) return sql<number>`0`;
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.raw(String(cases.length))} end`;
}

/** What a person searches for. */
export interface SearchTerms {
  /** Each must be found. */
  wanted: readonly string[];
  /** None may be found. */
  unwanted: readonly string[];
  /** The whole text, for finding it as one phrase. */
  phrase: string;
}

/**
 * Reads the grammar of `search`: words between spaces and commas, phrases in double quotes, and a minus before
 * what must not be found. Stop words and single letters are dropped; when nothing is left, or too much, the whole
 * text is one phrase.
 */
export function parseSearch(text: string): SearchTerms | undefined {
  const phrase = text.trim();
  if (phrase === '') return undefined;
  const terms = [...phrase.matchAll(/"([^"]*)"?|[^\s,"]+/g)].map((match) => match[1]?.trim() ?? match[0]);
  const kept = terms.filter((term) => term !== '' && !isNoise(term));
  if (kept.length === 0 || kept.length > MAX_TERMS) return { wanted: [phrase], unwanted: [], phrase };
  return {
    wanted: kept.filter((term) => !term.startsWith('-')),
    unwanted: kept.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
    phrase,
  };
}

function isNoise(term: string): boolean {
  return /^[a-z-]$/i.test(term) || STOP_WORDS.has(term.toLowerCase());
}

/** Text without case and accents, for comparing what a person typed with what is stored. */
export function foldText(text: string): string {
  const doubled = DOUBLE.reduce((folded, [letter, letters]) => folded.replaceAll(letter, letters), text);
  return [...doubled.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => STROKED[letter] ?? letter.toLowerCase())
    .join('');
}

/**
 * The same in SQL, without extensions and whatever the database's locale is. It looks up each letter in a list of a
 * thousand: good for names, not for texts.
 */
export function foldColumn(column: SQLWrapper): SQL<string> {
  const from = PAIRS.map(([letter]) => letter).join('') + MARKS;
  const to = PAIRS.map(([, folded]) => folded).join('');
  return sql<string>`translate(lower(${doubleColumn(column)}), ${quote(from)}, ${quote(to)})`;
}

function doubleColumn(column: SQLWrapper): SQLWrapper {
  return DOUBLE.reduce<SQLWrapper>(
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
