import { SCENARIOS, type BuildRow } from './build-rows.ts';

const WIDTH = 720;
const MARGIN = 8;
const NAMES_WIDTH = 150;
const FIGURES_WIDTH = 130;
const BAR = 14;
const LINE = 20;
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1c1e21 }
  .head { font-weight: 600 } .size { font-size: 16px; font-weight: 600 } .figure { font-variant-numeric: tabular-nums }
  .ours { fill: #b5532b } .peer { fill: #a9b0b8 } .ground { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e8ea } .ours { fill: #e08a5f } .peer { fill: #5c656e } .ground { fill: #121417 }
  }`;

/** An SVG of wall clock times: for each size and scenario a bar per builder, all bars of a size to one scale. */
export function drawChart(rows: readonly BuildRow[]): string {
  const parts: string[] = [];
  let y = MARGIN;
  const text = (x: number, words: string, look: string): void => {
    parts.push(`<text x="${x}" y="${y + BAR - 3}" class="${look}">${words}</text>`);
  };
  for (const [pages, ofSize] of Map.groupBy(rows, (row) => row.pages)) {
    const longest = Math.max(...ofSize.map(({ seconds }) => seconds));
    y += LINE / 2;
    text(MARGIN, `${pages.toLocaleString('en')} product pages`, 'size');
    y += LINE;
    for (const scenario of SCENARIOS) {
      const group = ofSize.filter((row) => row.scenario === scenario);
      if (group.length === 0) continue;
      const ours = group.find(({ builder }) => builder === 'ours')?.seconds;
      y += LINE / 4;
      text(MARGIN, scenario, 'head');
      y += LINE;
      for (const { builder, seconds } of group) {
        const width = Math.max(1, (seconds / longest) * (WIDTH - NAMES_WIDTH - FIGURES_WIDTH));
        const times = builder === 'ours' || !ours ? '' : ` · ${Number((seconds / ours).toPrecision(2))}×`;
        text(2 * MARGIN, builder, '');
        parts.push(
          `<rect x="${NAMES_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" class="${builder === 'ours' ? 'ours' : 'peer'}"/>`,
        );
        text(NAMES_WIDTH + Math.ceil(width) + MARGIN, `${seconds.toFixed(2)} s${times}`, 'figure');
        y += LINE;
      }
    }
  }
  const height = y + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Seconds that builds take, and how many times as long as ours</title>
<style>${STYLE}
</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
${parts.join('\n')}
</svg>
`;
}
