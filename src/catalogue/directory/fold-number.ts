import { foldText } from '../languages/sort-key.ts';

/** Normalises a number for comparison by removing separators, case and marks: `HW-10110` equals `hw 10110`. */
export function foldNumber(text: string): string {
  return foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
