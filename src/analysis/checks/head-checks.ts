import { finding, type Finding } from '../finding.ts';
import type { Paper } from '../paper.ts';
import { titleWidthPx } from '../text/pixel-width.ts';

/** Search results cut off wider titles. */
export const WIDEST_TITLE_PX = 600;
export const SHORTEST_DESCRIPTION = 121;
/** Search results cut off longer descriptions. In characters. */
export const LONGEST_DESCRIPTION = 156;

/** Checks the title and description that search results show. */
export function checkHead({ input }: Paper): Finding[] {
  return [checkTitleWidth(input.title), checkDescriptionLength(input.description, input.isCornerstone ?? false)];
}

function checkTitleWidth(title: string): Finding {
  const found = titleWidthPx(title.trim());
  const values = { found, most: WIDEST_TITLE_PX, characters: [...title.trim()].length };
  if (found === 0) return finding('titleWidth', 'none', 1, values);
  return found <= WIDEST_TITLE_PX ? finding('titleWidth', 'good', 9, values) : finding('titleWidth', 'wide', 3, values);
}

function checkDescriptionLength(description: string, isCornerstone: boolean): Finding {
  const found = [...description.trim()].length;
  const values = { found, least: SHORTEST_DESCRIPTION, most: LONGEST_DESCRIPTION };
  const less = isCornerstone ? 3 : 6;
  if (found === 0) return finding('descriptionLength', 'none', 1, values);
  if (found < SHORTEST_DESCRIPTION) return finding('descriptionLength', 'short', less, values);
  if (found > LONGEST_DESCRIPTION) return finding('descriptionLength', 'long', less, values);
  return finding('descriptionLength', 'good', 9, values);
}
