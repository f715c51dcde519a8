import { FULL, setText, STYLES } from './blocks.ts';
import { PAGE, type Sheet } from './sheet.ts';
import { textWidth } from './typesetting.ts';

const WARNING = '#b5412b';

/** The framed sentence that says a document isn't valid. */
export function setMark(sheet: Sheet, text: string): void {
  const top = sheet.y;
  sheet.artifact(() => {
    sheet.doc.save().rect(FULL.x, top, FULL.width, 26).fill('#fbeee9').restore();
    sheet.doc.save().rect(FULL.x, top, 3, 26).fill(WARNING).restore();
  });
  sheet.y += 6;
  setText(sheet, text, { x: FULL.x + 14, width: FULL.width - 28 }, { ...STYLES.strong, color: WARNING });
  sheet.y = top + 26 + 18;
}

/** The same, large and pale across the page, below its text. */
export function drawStamp(sheet: Sheet, text: string): void {
  const style = { size: 64, leading: 64, weight: 700, color: '#f8e9e2' } as const;
  const middle = [PAGE.width / 2, PAGE.height / 2] as const;
  sheet.artifact(() => {
    sheet.doc.save().rotate(-52, { origin: [...middle] });
    sheet.setLine(text, middle[0] - textWidth(text, style) / 2, middle[1] + 20, style);
    sheet.doc.restore();
  });
}
