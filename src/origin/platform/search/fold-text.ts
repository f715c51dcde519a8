import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

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

/** Letter by letter what `foldText` does; combining marks stand at the end, with nothing to become. */
const TRANSLATION = makeTranslation();

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
