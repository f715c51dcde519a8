import { trimEndOf } from '#contracts/index.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';

/** Names that Windows keeps for devices, with any extension: an archive of the files has to unpack there too. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
/** Room for a number and the measures of a size: file systems take 255 bytes. */
const MAX_BASE_BYTES = 180;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};

const known = new Set(Object.values(UPLOAD_TYPES).flat());

export interface FileName {
  base: string;
  /** Lower case, without the dot; empty for a name that has none. */
  extension: string;
}

/**
 * A client's name of a file as a name it can be stored under: no folders, no controls, no signs that mean something
 * in an address or a shell, accents folded. Inner extensions that could be taken for the real one get a `_`.
 */
export function cleanFileName(sent: string): FileName {
  const letters = [...sent.toWellFormed().normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .replaceAll(/[ -]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');
  const plain = trimEndOf(letters.replace(/^[._-]+/, ''), '._-');
  const [first = '', ...rest] = plain.split('.');
  const extension = rest.pop()?.toLowerCase() ?? '';
  const inner = rest.map((part) =>
    /^[a-z]{2,5}\d?$/i.test(part) && !known.has(part.toLowerCase()) ? `${part}_` : part,
  );
  const base = [DEVICES.test(first) ? `${first}_` : first, ...inner].join('.');
  return { base: cutBytes(base), extension };
}

function cutBytes(text: string): string {
  let cut = '';
  let bytes = 0;
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > MAX_BASE_BYTES) break;
    cut += letter;
  }
  return trimEndOf(cut, '.-');
}
