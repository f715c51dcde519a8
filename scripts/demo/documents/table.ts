import { darken, lighten } from '../drawing/color.ts';
import { FULL, rule, STYLES, type Column } from './blocks.ts';
import { PAGE, type Sheet } from './sheet.ts';
import { wrapText } from './typesetting.ts';

export interface TableColumn {
  heading: string;
  /** Share of the width; the shares add up to 1. */
  share: number;
}

/** A table whose first column names the row; rows never break, the heading is repeated on every page. */
export function setTable(
  sheet: Sheet,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  accent: string,
  area: Column = FULL,
): void {
  const table = sheet.tagged('Table', sheet.root);
  const places = columns.map(({ share }, i): Column => {
    const before = columns.slice(0, i).reduce((sum, column) => sum + column.share, 0);
    return { x: area.x + area.width * before + 6, width: area.width * share - 12 };
  });
  const head = (asText: boolean) => {
    const style = { ...STYLES.cell, weight: 600, color: darken(accent, 0.2) } as const;
    sheet.artifact(() => sheet.doc.save().rect(area.x, sheet.y, area.width, 18).fill(lighten(accent, 0.86)).restore());
    const set = (i: number) => () => sheet.setLine(columns[i]?.heading ?? '', places[i]?.x ?? 0, sheet.y + 12.3, style);
    if (asText) {
      const row = sheet.tagged('TR', table);
      columns.forEach((_, i) => sheet.tagged('TH', row, set(i), { scope: 'Column' }).end());
      row.end();
    } else columns.forEach((_, i) => sheet.artifact(set(i)));
    sheet.y += 18;
  };
  sheet.ensure(60);
  head(true);
  for (const cells of rows) {
    const wrapped = cells.map((text, i) => wrapText(text, places[i]?.width ?? 100, STYLES.cell));
    const height = Math.max(...wrapped.map((lines) => lines.length)) * STYLES.cell.leading + 5.4;
    if (sheet.y + height > PAGE.height - PAGE.bottom) {
      sheet.newPage();
      head(false);
    }
    const row = sheet.tagged('TR', table);
    wrapped.forEach((lines, i) => {
      const draw = () =>
        lines.forEach((line, k) =>
          sheet.setLine(
            line,
            places[i]?.x ?? 0,
            sheet.y + 11.2 + k * STYLES.cell.leading,
            i === cells.length - 1 ? { ...STYLES.cell, weight: 500 } : STYLES.cell,
          ),
        );
      sheet.tagged(i === 0 ? 'TH' : 'TD', row, draw, i === 0 ? { scope: 'Row' } : {}).end();
    });
    row.end();
    sheet.y += height;
    sheet.artifact(() => rule(sheet, sheet.y, 0.5, '#d6dadc', area));
  }
  table.end();
  sheet.y += 14;
}
