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

/** Letter by letter what `foldText` does; combining marks stand at the end, with nothing to become. */
const TRANSLATION = makeTranslation();

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

/** Whether a column holds a term, or is the term; case and accents do not count, wildcards stand for themselves. */
export function matches(column: SQLWrapper, term: string, isExact = false): SQL {
  const folded = foldColumn(column);
  return isExact ? eq(folded, foldText(term)) : like(folded, `%${escapeLike(foldText(term))}%`);
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

/** The same in SQL, without extensions and whatever the database's locale is. */
export function foldColumn(column: SQLWrapper): SQL<string> {
  const doubled = DOUBLE.reduce<SQLWrapper>(
    (folded, [letter, letters]) => sql`replace(${folded}, ${quote(letter)}, ${quote(letters)})`,
    column,
  );
  const { from, to } = TRANSLATION;
  return sql<string>`translate(lower(${doubled}), ${quote(from)}, ${quote(to)})`;
}

function makeTranslation(): { from: string; to: string } {
  const pairs = ACCENTED_RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).flatMap((letter) => {
      const folded = foldText(letter);
      return folded !== letter && [...folded].length === 1 ? [[letter, folded] as const] : [];
    }),
  );
  const marks = Array.from({ length: 0x70 }, (_, i) => String.fromCodePoint(0x300 + i)).join('');
  const from = pairs.map(([letter]) => letter).join('');
  return { from: from + marks, to: pairs.map(([, folded]) => folded).join('') };
}

function quote(constant: string): SQL {
  return sql.raw(`'${constant.replaceAll("'", "''")}'`);
}
