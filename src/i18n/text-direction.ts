/** Base codes of right-to-left languages. A script in the code takes precedence. */
const RIGHT_TO_LEFT = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

export type TextDirection = 'ltr' | 'rtl';

export function textDirection(language: string): TextDirection {
  const [base = '', second = ''] = language.toLowerCase().split('-');
  if (second === 'latn' || second === 'cyrl') return 'ltr';
  return RIGHT_TO_LEFT.has(base) || second === 'arab' || second === 'hebr' ? 'rtl' : 'ltr';
}
