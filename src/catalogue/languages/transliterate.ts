/** Letters that lose their sound when only their mark is dropped, and those that no decomposition reaches. */
const TRANSLITERATION: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'oe',
  å: 'aa',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
};

/** In lower case, with such letters as they are written where a keyboard lacks them: `Bänder` -> `baender`. */
export function transliterate(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæœøåđðłþ]/g, (letter) => TRANSLITERATION[letter] ?? letter);
}
