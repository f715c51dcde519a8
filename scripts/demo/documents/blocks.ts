import { htmlBlocks } from './html-blocks.ts';
import { CONTENT_WIDTH, PAGE, type Element, type Sheet } from './sheet.ts';
import { wrapText, type TextStyle } from './typesetting.ts';

const INK = '#1c2b33';
const GREY = '#667077';

export const STYLES = {
  body: { size: 9.6, leading: 13, weight: 400, color: INK },
  strong: { size: 9.6, leading: 13, weight: 600, color: INK },
  lead: { size: 11.5, leading: 16.4, weight: 400, color: INK },
  label: { size: 9.6, leading: 13, weight: 600, color: INK },
  small: { size: 7.6, leading: 10.4, weight: 400, color: GREY },
  caption: { size: 7.6, leading: 10.4, weight: 500, color: GREY },
  figure: { size: 10.4, leading: 13.8, weight: 500, color: INK },
  heading: { size: 11.4, leading: 15, weight: 600, color: INK },
  cell: { size: 8.8, leading: 11.8, weight: 400, color: INK },
} as const satisfies Record<string, TextStyle>;

/** A strip of the page, in points. */
export interface Column {
  x: number;
  width: number;
}

export const FULL: Column = { x: PAGE.left, width: CONTENT_WIDTH };
/** Headings hang in the narrow column, their text stands in the wide one. */
export const HANGING: Column = { x: PAGE.left, width: 112 };
export const TEXT: Column = { x: PAGE.left + 128, width: CONTENT_WIDTH - 128 };

/** Sets a text line by line, over pages if need be, and moves `sheet.y` below it. */
export function setText(
  sheet: Sheet,
  text: string,
  { x, width }: Column,
  style: TextStyle,
  type = 'P',
  parent = sheet.root,
): Element {
  const element = sheet.tagged(type, parent);
  let lines = wrapText(text, width, style);
  while (lines.length > 0) {
    sheet.ensure(style.leading * Math.min(2, lines.length));
    const room = Math.max(1, Math.floor((PAGE.height - PAGE.bottom - sheet.y) / style.leading));
    const here = lines.slice(0, room);
    element.add(() => {
      for (const line of here) {
        sheet.y += style.leading;
        sheet.setLine(line, x, sheet.y - style.leading * 0.27, style);
      }
    });
    lines = lines.slice(room);
  }
  element.end();
  return element;
}

/** Items with a short dash in front. */
export function setList(sheet: Sheet, items: readonly string[], { x, width }: Column, style: TextStyle): void {
  const list = sheet.tagged('L', sheet.root);
  for (const item of items) {
    sheet.ensure(style.leading);
    const entry = sheet.tagged('LI', list);
    const baseline = sheet.y + style.leading * 0.73;
    sheet.artifact(() => sheet.setLine('–', x, baseline, style));
    setText(sheet, item, { x: x + 13, width: width - 13 }, style, 'LBody', entry);
    sheet.y += 2;
    entry.end();
  }
  list.end();
  sheet.y -= 2;
}

/** The HTML of a product text as paragraphs and lists. */
export function setHtml(sheet: Sheet, html: string, column: Column, style: TextStyle = STYLES.body): void {
  for (const [i, block] of htmlBlocks(html).entries()) {
    if (i > 0) sheet.y += 5;
    if (block.kind === 'list') setList(sheet, block.items, column, style);
    else setText(sheet, block.text, column, style);
  }
}

/** A heading in the hanging column, a fine rule above it, and whatever `fill` sets beside it. */
export function setSection(sheet: Sheet, heading: string, fill: () => void, space = 46): void {
  sheet.ensure(space);
  sheet.artifact(() => rule(sheet, sheet.y, 0.6, '#c9ced1'));
  sheet.y += 8;
  const top = sheet.y;
  const page = sheet.doc.bufferedPageRange().count;
  setText(sheet, heading, HANGING, STYLES.label, 'H2');
  const bottom = sheet.y;
  sheet.y = top;
  fill();
  const samePage = sheet.doc.bufferedPageRange().count === page;
  sheet.y = (samePage ? Math.max(sheet.y, bottom) : sheet.y) + 9;
}

export function rule(sheet: Sheet, y: number, width: number, color: string, { x, width: length }: Column = FULL): void {
  sheet.doc
    .save()
    .lineWidth(width)
    .strokeColor(color)
    .moveTo(x, y)
    .lineTo(x + length, y)
    .stroke()
    .restore();
}

/** Label and value under each other, several side by side. */
export function setFacts(
  sheet: Sheet,
  facts: readonly (readonly [label: string, value: string])[],
  area: Column,
): void {
  const width = area.width / facts.length;
  sheet.ensure(34);
  const top = sheet.y;
  let bottom = top;
  facts.forEach(([label, value], i) => {
    const column: Column = { x: area.x + i * width, width: width - 10 };
    sheet.y = top;
    setText(sheet, label, column, STYLES.caption);
    sheet.y += 1;
    setText(sheet, value, column, STYLES.figure);
    bottom = Math.max(bottom, sheet.y);
  });
  sheet.y = bottom;
}
