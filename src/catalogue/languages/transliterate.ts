/** Letters that change their sound without their mark, or that don't decompose. */
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

/** Converts to lower case and replaces special letters by their usual spelling: `Bänder` -> `baender`. */
export function transliterate(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæœøåđðłþ]/g, (letter) => TRANSLITERATION[letter] ?? letter);
}
