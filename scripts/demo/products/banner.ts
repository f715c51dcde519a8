import { canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { group, polygon, rect } from '../drawing/svg.ts';
import { signShapes, wordmark } from '../drawing/wordmark.ts';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { letter, letteringWidth } from '../lettering/letter.ts';
import type { ProductLook } from './product-look.ts';

export const BANNER_WIDTH = 1600;
export const BANNER_HEIGHT = 500;

/** Where the product's own picture is laid over the banner, in pixels. */
export const BANNER_PICTURE = { left: 1010, top: -40, size: 560 } as const;

const MARGIN = 88;
const TEXT_WIDTH = 800;

/** The banner of a product in the language of the record, without the picture of the product. */
export function drawBanner(record: DemoProduct, look: ProductLook): string {
  const sheet = canvas(BANNER_WIDTH, BANNER_HEIGHT);
  const [, ...rest] = look.line ? record.name.split(' ') : [];
  const kind = kindOf(record);
  sheet.add(
    rect(0, 0, BANNER_WIDTH, BANNER_HEIGHT, {
      fill: sheet.gradient(
        [
          [0, lighten(look.color, 0.06)],
          [1, darken(look.color, 0.24)],
        ],
        [0, 0],
        [1, 1],
      ),
    }),
    heaps(look.color),
    polygon(
      [
        [1010, 0],
        [BANNER_WIDTH, 0],
        [BANNER_WIDTH, BANNER_HEIGHT],
        [880, BANNER_HEIGHT],
      ],
      {
        fill: sheet.gradient([
          [0, '#f8f6f2'],
          [1, '#e3e0d9'],
        ]),
      },
    ),
    polygon(
      [
        [996, 0],
        [1010, 0],
        [880, BANNER_HEIGHT],
        [866, BANNER_HEIGHT],
      ],
      { fill: '#ffffff', opacity: 0.35 },
    ),
    wordmark({ x: MARGIN, y: 98, size: 26, ink: '#ffffff', accent: lighten(look.color, 0.55) }),
    letter(look.line, { x: MARGIN - 3, y: 262, size: 92, weight: 700, tracking: 0.01, fill: '#ffffff' }),
    letter(rest.join(' '), { x: MARGIN, y: 336, size: fitted(rest.join(' '), 60, 500), weight: 500, fill: '#ffffff' }),
    rect(MARGIN, 376, 64, 4, { fill: lighten(look.color, 0.55) }),
    letter(kind, { x: MARGIN, y: 428, size: fitted(kind, 30, 400), weight: 400, fill: '#ffffff', opacity: 0.92 }),
  );
  return sheet.toSvg();
}

/** What the product is, in its language: the first line of the ERP text after the name. */
export function kindOf(record: DemoProduct): string {
  const [firstLine = ''] = record.erp_description.split('\n');
  return firstLine.split(' – ')[1] ?? record.application_short;
}

/** The greatest size up to `size` at which the text stays within the width for text. */
function fitted(text: string, size: number, weight: 400 | 500): number {
  return Math.min(size, (size * TEXT_WIDTH) / Math.max(1, letteringWidth(text, size, weight)));
}

/** The maker's sign, very large and hardly lighter than the ground. */
function heaps(color: string): string {
  const { far, near } = signShapes(620);
  return group([polygon(far, { fill: lighten(color, 0.05) }), polygon(near, { fill: lighten(color, 0.09) })], {
    transform: 'translate(330 -30)',
    opacity: 0.7,
  });
}
