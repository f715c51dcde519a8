import { HOUSE, signShapes } from '../drawing/wordmark.ts';
import { rule, STYLES } from './blocks.ts';
import { fill, MAKER } from './document-words.ts';
import { CONTENT_WIDTH, PAGE, type Sheet } from './sheet.ts';
import { textWidth } from './typesetting.ts';

export interface LetterheadOptions {
  /** Kind of the document, in its language. */
  kind: string;
  /** Colour of the product line. */
  accent: string;
  /** A sentence in the foot of every page. */
  note: string;
  /** `Page {page} of {pages}` in the document's language. */
  pageLabel: string;
}

/** Head and foot of one page. They repeat on every page, so readers skip them. */
export function drawLetterhead(sheet: Sheet, options: LetterheadOptions, page: number, pages: number): void {
  sheet.artifact(() => {
    drawWordmark(sheet, PAGE.left, 58);
    const kind = { ...STYLES.caption, size: 8.6 };
    sheet.setLine(options.kind, PAGE.width - PAGE.right - textWidth(options.kind, kind), 57, kind);
    sheet.doc.save().rect(PAGE.left, 72, 56, 2.6).fill(options.accent).restore();
    rule(sheet, 73.3, 0.6, '#c9ced1', { x: PAGE.left + 56, width: CONTENT_WIDTH - 56 });

    const foot = PAGE.height - 54;
    rule(sheet, foot, 0.6, '#c9ced1');
    const { name, street, postal_code, city, email } = MAKER;
    sheet.setLine(`${name} · ${street} · ${postal_code} ${city} · ${email}`, PAGE.left, foot + 14, STYLES.small);
    sheet.setLine(options.note, PAGE.left, foot + 25, STYLES.small);
    const number = fill(options.pageLabel, { page, pages });
    sheet.setLine(number, PAGE.width - PAGE.right - textWidth(number, STYLES.caption), foot + 14, STYLES.caption);
  });
}

function drawWordmark(sheet: Sheet, x: number, y: number): void {
  const { far, near } = signShapes(17);
  const shape = (points: readonly (readonly [number, number])[], color: string) => {
    const moved = points.map(([px, py]): [number, number] => [x + px, y - 14.6 + py]);
    sheet.doc
      .save()
      .polygon(...moved)
      .fill(color)
      .restore();
  };
  shape(far, HOUSE.ink);
  shape(near, HOUSE.accent);
  sheet.setLine('HALDENWERK', x + 21, y, { size: 13.4, leading: 16, weight: 700, color: HOUSE.ink }, 0.8);
}
