import sharp from 'sharp';
import { canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { seededRandom } from '../drawing/random.ts';
import { circle, group, line, path, rect, type Attributes } from '../drawing/svg.ts';
import { HOUSE, wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter, letteringWidth } from '../lettering/letter.ts';
import { MOTIF_HEIGHT, MOTIF_WIDTH, MOTIFS } from '../motifs/index.ts';
import type { DemoShow } from './episode.ts';

/** Directories ask for squares of 1400 to 3000 pixels. */
const SHOW_SIZE = 3000;
const EPISODE_SIZE = 1400;
const MARGIN = 220;

const TAPE = HOUSE.accent;
const KRAFT = '#c9a87c';

/** The episode's drawing, by its key. */
const EPISODE_MOTIFS: Readonly<Record<string, string>> = {
  'reading-declarations': 'datasheet-desk',
  'test-day': 'blower-door',
  'vapour-control': 'timber-frame',
  'winter-roof': 'winter-site',
};

/** A roll of tape that unrolls into a strip on which the sound stands, below the title of the podcast. */
export async function drawShowCover({ title, subtitle }: DemoShow): Promise<Buffer> {
  const sheet = canvas(SHOW_SIZE, SHOW_SIZE);
  sheet.add(paper(SHOW_SIZE), ...titleLines(title), tapeRoll(1000, 1960, 560), soundBars(1690, 2420, 1310, 620, 24));
  sheet.add(
    letter(subtitle, { x: MARGIN, y: 1150, size: fitted(subtitle, 112), weight: 500, fill: HOUSE.grey }),
    wordmark({ x: MARGIN, y: 2790, size: 150 }),
    letter('Podcast', { x: SHOW_SIZE - MARGIN, y: 2790, size: 129, weight: 600, anchor: 'end', fill: HOUSE.grey }),
  );
  return toJpeg(sheet.toSvg(), 82);
}

/** The motif of the episode above the strip, its number below; no words, so that one cover serves all languages. */
export async function drawEpisodeCover(key: string, number: number): Promise<Buffer> {
  const sheet = canvas(EPISODE_SIZE, EPISODE_SIZE);
  const motif = MOTIFS[EPISODE_MOTIFS[key] ?? '']?.() ?? '';
  const height = 1010;
  const visible = (MOTIF_HEIGHT * EPISODE_SIZE) / height;
  const frame = `<svg x="0" y="0" width="${EPISODE_SIZE}" height="${height}" viewBox="${(MOTIF_WIDTH - visible) / 2} 0 ${visible} ${MOTIF_HEIGHT}">`;
  sheet.add(paper(EPISODE_SIZE), motif.replace(/^<svg[^>]*>/, frame));
  sheet.add(
    rect(0, height, EPISODE_SIZE, 46, { fill: TAPE }),
    rect(0, height, EPISODE_SIZE, 10, { fill: lighten(TAPE, 0.3) }),
    letter(String(number), { x: 100, y: 1318, size: 330, weight: 700, fill: HOUSE.ink }),
    soundBars(430, 1326, 870, 170, 22),
    wordmark({ x: EPISODE_SIZE - 100 - wordmarkWidth(58), y: 1144, size: 58 }),
  );
  return toJpeg(sheet.toSvg(), 80);
}

function toJpeg(svg: string, quality: number): Promise<Buffer> {
  return sharp(Buffer.from(svg)).flatten({ background: HOUSE.paper }).jpeg({ quality, mozjpeg: true }).toBuffer();
}

function paper(size: number): string {
  const lines: string[] = [];
  const fine: Attributes = { stroke: HOUSE.ink, 'stroke-width': size / 1500, 'stroke-opacity': 0.07 };
  for (let at = size / 30; at < size; at += size / 30)
    lines.push(line([at, 0], [at, size], fine), line([0, at], [size, at], fine));
  return group([rect(0, 0, size, size, { fill: HOUSE.paper }), ...lines]);
}

/** Two lines that are as even as the words allow; a short word begins a line and does not end it. */
function titleLines(title: string): string[] {
  const [lines = [title]] = [...title.matchAll(/(?<=\p{L}{4,}) /gu)]
    .map(({ index }) => [title.slice(0, index), title.slice(index + 1)])
    .toSorted((a, b) => longest(a) - longest(b));
  const size = Math.min(440, (SHOW_SIZE - 2 * MARGIN) / longest(lines));
  return lines.map((text, i) =>
    letter(text, { x: MARGIN, y: 960 + (i + 1 - lines.length) * size, size, weight: 700, fill: HOUSE.ink }),
  );
}

/** In em of bold lettering. */
function longest(lines: readonly string[]): number {
  return Math.max(...lines.map((text) => letteringWidth(text, 1, 700)));
}

function fitted(text: string, size: number): number {
  return Math.min(size, (SHOW_SIZE - 2 * MARGIN) / letteringWidth(text, 1, 500));
}

/** Seen from the side; its strip runs along the floor to the right edge of the picture. */
function tapeRoll(x: number, y: number, r: number): string {
  const thickness = 100;
  const floor = y + r;
  const rings = [0.94, 0.87, 0.81, 0.74, 0.67, 0.61].map((share, i) =>
    circle(x, y, r * share, {
      fill: 'none',
      stroke: darken(TAPE, 0.16),
      'stroke-width': 5,
      'stroke-opacity': 0.5 + 0.06 * i,
    }),
  );
  const shine = path(`M${x - r * 0.72} ${y - r * 0.42}A${r * 0.83} ${r * 0.83} 0 0 1 ${x - r * 0.1} ${y - r * 0.825}`, {
    fill: 'none',
    stroke: '#ffffff',
    'stroke-width': 34,
    'stroke-opacity': 0.45,
    'stroke-linecap': 'round',
  });
  return group([
    rect(x, floor - thickness, SHOW_SIZE - x, thickness, { fill: TAPE }),
    rect(x, floor - thickness, SHOW_SIZE - x, 22, { fill: lighten(TAPE, 0.3) }),
    circle(x, y, r, { fill: TAPE }),
    ...rings,
    shine,
    circle(x, y, r * 0.5, { fill: KRAFT }),
    circle(x, y, r * 0.5, { fill: 'none', stroke: darken(KRAFT, 0.25), 'stroke-width': 8 }),
    circle(x, y, r * 0.41, { fill: HOUSE.paper }),
    circle(x, y, r * 0.41, { fill: 'none', stroke: darken(KRAFT, 0.25), 'stroke-width': 8 }),
  ]);
}

/** The loudness of a sentence as bars that stand on a floor. */
function soundBars(x: number, floor: number, width: number, height: number, count: number): string {
  const random = seededRandom('sentence');
  const pitch = width / count;
  return group(
    Array.from({ length: count }, (_, i) => {
      const phrase = Math.abs(Math.sin((i / count) * Math.PI * 2.6 + 0.35));
      const tall = height * Math.max(0.06, phrase * (0.45 + 0.55 * random()));
      const bar = { fill: i % 7 === 3 ? TAPE : HOUSE.ink, rx: pitch * 0.16 };
      return rect(x + i * pitch, floor - tall, pitch * 0.52, tall, bar);
    }),
  );
}
