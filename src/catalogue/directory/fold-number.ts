import { foldText } from '../languages/sort-key.ts';

/** A number as it is compared: without separators, case and marks. `HW-10110` and `hw 10110` are the same. */
export function foldNumber(text: string): string {
  return foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}
