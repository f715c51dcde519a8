import { createFinding, type Finding } from '../finding.ts';
import type { ParsedText } from '../parse-input.ts';
import { titleWidthPx } from '../text/pixel-width.ts';

/** Search results cut off wider titles. */
export const MAX_TITLE_WIDTH_PX = 600;
export const MIN_DESCRIPTION_LENGTH = 121;
/** Search results cut off longer descriptions. In characters. */
export const MAX_SHOWN_DESCRIPTION_LENGTH = 156;

/** Checks the title and description that search results show. */
export function checkHead({ input }: ParsedText): Finding[] {
  return [checkTitleWidth(input.title), checkDescriptionLength(input.description, input.isCornerstone ?? false)];
}

function checkTitleWidth(title: string): Finding {
  const found = titleWidthPx(title.trim());
  const values = { found, most: MAX_TITLE_WIDTH_PX, characters: [...title.trim()].length };
  if (found === 0) return createFinding('titleWidth', 'none', 1, values);
  return found <= MAX_TITLE_WIDTH_PX
    ? createFinding('titleWidth', 'good', 9, values)
    : createFinding('titleWidth', 'wide', 3, values);
}

function checkDescriptionLength(description: string, isCornerstone: boolean): Finding {
  const found = [...description.trim()].length;
  const values = { found, least: MIN_DESCRIPTION_LENGTH, most: MAX_SHOWN_DESCRIPTION_LENGTH };
  const less = isCornerstone ? 3 : 6;
  if (found === 0) return createFinding('descriptionLength', 'none', 1, values);
  if (found < MIN_DESCRIPTION_LENGTH) return createFinding('descriptionLength', 'short', less, values);
  if (found > MAX_SHOWN_DESCRIPTION_LENGTH) return createFinding('descriptionLength', 'long', less, values);
  return createFinding('descriptionLength', 'good', 9, values);
}
