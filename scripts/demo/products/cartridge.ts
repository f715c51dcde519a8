import type { Canvas } from '../drawing/canvas.ts';
import { ellipse, group, line, polygon } from '../drawing/svg.ts';
import { wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';
import { paintShadow } from './stage.ts';
import { bandOutline, paintBand, paintUpright, type Upright } from './upright.ts';

/** Casing of the cartridge, by item number. */
const CASINGS: Readonly<Record<string, string>> = { 'HW-40229': '#565f66' };

const CX = 600;

/** A standing cartridge with its nozzle screwed on; the name runs up the label. */
export function drawCartridge(stage: Canvas, { line: name, variant, color, itemNumber }: ProductLook): void {
  const casing = CASINGS[itemNumber] ?? '#f1efea';
  const dark = casing !== '#f1efea';
  const body: Upright = { cx: CX, top: 420, bottom: 1030, topWidth: 120, bottomWidth: 120, rim: 0.2 };
  paintShadow(stage, CX + 12, 1034, 190, 50);
  stage.add(
    nozzle(stage),
    paintUpright(stage, body, casing, 0.5),
    ellipse(CX, 420, 120, 24, { fill: dark ? '#6c757c' : '#fbfaf7' }),
    paintUpright(stage, { cx: CX, top: 384, bottom: 414, topWidth: 40, bottomWidth: 98, rim: 0.2 }, casing, 0.4),
    threads(),
    paintBand(stage, body, 470, 980, color),
    paintBand(stage, body, 470, 560, '#f6f4ef', 0.4),
    lettering(stage, body, name, variant),
    paintBand(stage, body, 1004, 1030, dark ? '#41494f' : '#d9d6cf'),
  );
}

function nozzle(stage: Canvas): string {
  const shade = stage.gradient(
    [
      [0, '#c9c6bf'],
      [0.3, '#ffffff'],
      [0.6, '#e6e3dc'],
      [1, '#a9a69f'],
    ],
    [0, 0],
    [1, 0],
  );
  return group([
    polygon(
      [
        [CX - 14, 112],
        [CX + 10, 96],
        [CX + 44, 352],
        [CX - 44, 352],
      ],
      { fill: shade },
    ),
    ellipse(CX, 352, 44, 10, { fill: '#d8d5ce' }),
    ...[0, 1, 2, 3].map((i) =>
      line([CX - 18 - i * 6, 168 + i * 44], [CX + 18 + i * 6, 172 + i * 44], { stroke: '#b4b1aa', 'stroke-width': 2 }),
    ),
  ]);
}

function threads(): string {
  return group(
    [0, 1, 2].map((i) => ellipse(CX, 378 - i * 12, 37, 8, { fill: '#e2dfd8', stroke: '#aeaba4', 'stroke-width': 1.5 })),
  );
}

function lettering(stage: Canvas, body: Upright, name: string, variant: string): string {
  const sign = wordmark({ x: CX - wordmarkWidth(24) / 2, y: 532, size: 24 });
  return group(
    [
      sign,
      group(
        [
          letter(name, { x: 0, y: 0, size: 72, weight: 700, tracking: 0.03, fill: '#ffffff' }),
          letter(variant, { x: 0, y: 58, size: 36, weight: 500, fill: '#ffffff' }),
        ],
        { transform: `translate(${CX + 2} 960) rotate(-90)` },
      ),
    ],
    { 'clip-path': stage.clip(`<path d="${bandOutline(body, 460, 1000)}"/>`) },
  );
}
