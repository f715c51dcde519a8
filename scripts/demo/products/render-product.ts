import sharp from 'sharp';
import type { DemoProduct } from '#origin/admin/seed/demo-content.ts';
import { canvas, type Canvas } from '../drawing/canvas.ts';
import { darken, lighten } from '../drawing/color.ts';
import { seededRandom } from '../drawing/random.ts';
import { ellipse, group, path, rect, round } from '../drawing/svg.ts';
import { wordmark, wordmarkWidth } from '../drawing/wordmark.ts';
import { letter } from '../lettering/letter.ts';
import { BANNER_HEIGHT, BANNER_PICTURE, drawBanner } from './banner.ts';
import { drawBoards } from './boards.ts';
import { drawBottle } from './bottle.ts';
import { drawBucket } from './bucket.ts';
import { drawCartridge } from './cartridge.ts';
import { drawCompressionTape } from './compression-tape.ts';
import { roundShade } from './cylinder.ts';
import { drawGrommet } from './grommet.ts';
import { drawMembrane } from './membrane.ts';
import type { ProductLook, Shape } from './product-look.ts';
import { STAGE, paintGround, paintShadow } from './stage.ts';
import { drawTape } from './tape.ts';
import { bandOutline, paintBand, paintUpright, standingShade, type Upright } from './upright.ts';

const LENGTH = 780;

const RADIUS = 96;

const TILT = -16;

const CX = 600;

const DRAWINGS: Readonly<Record<Shape, (stage: Canvas, look: ProductLook) => void>> = {
  membrane: drawMembrane,
  tape: drawTape,
  'compression-tape': drawCompressionTape,
  cartridge: drawCartridge,
  'foil-sausage': drawFoilSausage,
  can: drawCan,
  bottle: drawBottle,
  bucket: drawBucket,
  boards: drawBoards,
  grommet: drawGrommet,
};

/** The pictures of one product. What several of them are made from is rendered once, when it is first needed. */
export interface ProductPictures {
  /** PNG, 1600 by 1600: as large as shops ask for. */
  image(): Promise<Buffer>;
  /** JPEG, 1600 by 500, in the language of the record. */
  banner(record: DemoProduct): Promise<Buffer>;
  /** A small square JPEG for documents. */
  thumbnail(): Promise<Buffer>;
}

/** Side of the picture in pixels. */
const IMAGE = 1600;

/** Side of the thumbnail in pixels: 150 points at about 200 dots to the inch. */
const THUMBNAIL = 420;

export function productPictures(look: ProductLook): ProductPictures {
  let cutout: ReturnType<typeof renderCutout> | undefined;
  let thumbnail: Promise<Buffer> | undefined;
  return {
    image: () =>
      rasterise(drawProduct(look, { ground: true }), IMAGE / STAGE)
        .png({ compressionLevel: 6 })
        .toBuffer(),
    banner: async (record) => {
      cutout ??= renderCutout(look);
      const { data, info } = await cutout;
      const { left, top } = BANNER_PICTURE;
      const picture = { input: data, raw: info, left, top: Math.max(0, top) };
      return rasterise(drawBanner(record, look)).composite([picture]).jpeg({ quality: 84 }).toBuffer();
    },
    thumbnail: () => {
      thumbnail ??= rasterise(drawProduct(look, { ground: true }))
        .resize(THUMBNAIL)
        .jpeg({ quality: 82 })
        .toBuffer();
      return thumbnail;
    },
  };
}

/** The product without its ground, the part of it that lies inside the banner, as pixels. */
async function renderCutout(look: ProductLook) {
  const { top, size } = BANNER_PICTURE;
  const whole = await rasterise(drawProduct(look, { ground: false }))
    .resize(size)
    .png({ compressionLevel: 0 })
    .toBuffer();
  const inside = { left: 0, top: Math.max(0, -top), width: size, height: Math.min(size + top, BANNER_HEIGHT) };
  return sharp(whole).extract(inside).raw().toBuffer({ resolveWithObject: true });
}

/** @param scale Of the drawing: pixels for one of its units. */
function rasterise(svg: string, scale = 1) {
  return sharp(Buffer.from(svg), { density: 72 * scale });
}

/** The picture of a product as SVG, `STAGE` pixels square. Without its ground it is transparent, for banners. */
function drawProduct(look: ProductLook, { ground }: { ground: boolean }): string {
  const stage = canvas(STAGE, STAGE);
  if (ground) paintGround(stage);
  DRAWINGS[look.shape](stage, look);
  return stage.toSvg();
}

/** A pressurised can with the screw ring for a foam gun. */
function drawCan(stage: Canvas, { line: name, variant, color }: ProductLook): void {
  const body: Upright = { cx: CX, top: 360, bottom: 1030, topWidth: 150, bottomWidth: 150, rim: 0.17 };
  const steel = '#c3c8cb';
  paintShadow(stage, CX + 14, 1036, 240, 56);
  stage.add(
    paintUpright(stage, body, color, 0.32),
    ring(stage),
    shoulder(stage, steel),
    paintBand(stage, body, 352, 384, steel, 0.7),
    paintBand(stage, body, 430, 560, '#f6f4ef', 0.4),
    paintBand(stage, body, 1008, 1034, steel, 0.7),
    lettering(stage, body, name, variant),
  );
}

function shoulder(stage: Canvas, steel: string): string {
  const shade = stage.gradient(standingShade(steel, 0.7), [0, 0], [1, 0]);
  return group([
    path(
      `M${CX - 150} 366C${CX - 146} 300 ${CX - 96} 262 ${CX - 62} 254L${CX + 62} 254C${CX + 96} 262 ${CX + 146} 300 ${CX + 150} 366A150 26 0 0 1 ${CX - 150} 366Z`,
      { fill: shade },
    ),
    ellipse(CX, 256, 62, 13, { fill: '#aab1b5', stroke: '#8a9296', 'stroke-width': 2 }),
  ]);
}

/** The plastic ring the gun is screwed onto, and the valve inside it. */
function ring(stage: Canvas): string {
  const plastic = stage.gradient(standingShade('#3a4248', 0.3), [0, 0], [1, 0]);
  return group([
    rect(CX - 10, 150, 20, 60, { fill: '#e6e3dc', stroke: '#b9b6af', 'stroke-width': 1.5, rx: 5 }),
    rect(CX - 50, 184, 100, 76, { fill: plastic, rx: 7 }),
    ...[-36, -20, -4, 12, 28].map((dx) => rect(CX + dx, 190, 7, 66, { fill: '#11181c', 'fill-opacity': 0.32, rx: 3 })),
    ellipse(CX, 186, 50, 11, { fill: '#545d63' }),
    ellipse(CX, 186, 34, 7, { fill: '#1d2428' }),
    rect(CX - 8, 146, 16, 42, { fill: '#efece6', rx: 4 }),
  ]);
}

function lettering(stage: Canvas, body: Upright, name: string, variant: string): string {
  return group(
    [
      wordmark({ x: CX - wordmarkWidth(27) / 2, y: 526, size: 27 }),
      letter(name, { x: CX, y: 680, size: 50, weight: 700, anchor: 'middle', tracking: 0.02, fill: '#ffffff' }),
      letter(variant, { x: CX, y: 818, size: 118, weight: 600, anchor: 'middle', fill: '#ffffff' }),
      letter('ml', { x: CX, y: 872, size: 40, weight: 500, anchor: 'middle', fill: '#ffffff' }),
      rect(CX - 104, 926, 208, 3, { fill: '#ffffff', opacity: 0.7 }),
    ],
    { 'clip-path': stage.clip(path(bandOutline(body, 380, 1000))) },
  );
}

/** A soft foil pack lying on the ground, gathered at both ends and closed with metal clips. */
function drawFoilSausage(stage: Canvas, { line: name, variant, color, itemNumber }: ProductLook): void {
  paintShadow(stage, 606, 716, 470, 74, TILT);
  const foil = '#c9ced1';
  const pack = `M0 0C26 -40 52 -${RADIUS - 8} 128 -${RADIUS}L${LENGTH - 128} -${RADIUS}C${LENGTH - 52} -${RADIUS - 8} ${LENGTH - 26} -40 ${LENGTH} 0C${LENGTH - 26} 44 ${LENGTH - 52} ${RADIUS - 8} ${LENGTH - 128} ${RADIUS}L128 ${RADIUS}C52 ${RADIUS - 8} 26 44 0 0Z`;
  const clip = stage.clip(path(pack));
  stage.add(
    group(
      [
        clasp(stage, -1),
        clasp(stage, 1),
        path(pack, { fill: stage.gradient(roundShade(foil, 0.75)) }),
        group(
          [
            rect(132, -RADIUS, LENGTH - 264, RADIUS * 2, { fill: stage.gradient(roundShade(color, 0.3)) }),
            rect(132, -RADIUS, 92, RADIUS * 2, { fill: stage.gradient(roundShade('#f3f1ec', 0.6)) }),
            ...folds(itemNumber),
            group([wordmark({ x: 0, y: 0, size: 22 })], { transform: 'translate(186 82) rotate(-90)' }),
            letter(name, { x: 252, y: 16, size: 70, weight: 700, tracking: 0.02, fill: '#ffffff' }),
            letter(variant, { x: 254, y: 58, size: 32, weight: 500, fill: '#ffffff' }),
          ],
          { 'clip-path': clip },
        ),
      ],
      { transform: `translate(150 740) rotate(${TILT}) scale(1.2)` },
    ),
  );
}

/** The clip and the tuft of foil beyond it, at the left (-1) or right (1) end. */
function clasp(stage: Canvas, side: -1 | 1): string {
  const x = side < 0 ? 0 : LENGTH;
  const metal = stage.gradient(roundShade('#a9b0b4', 0.8));
  return group([
    path(
      `M${x} -14C${x + side * 26} -20 ${x + side * 44} -44 ${x + side * 58} -40C${x + side * 50} -10 ${x + side * 54} 16 ${x + side * 60} 36C${x + side * 40} 34 ${x + side * 24} 20 ${x} 14Z`,
      {
        fill: lighten('#b9bfc3', 0.25),
        stroke: darken('#b9bfc3', 0.3),
        'stroke-width': 1.5,
      },
    ),
    ellipse(x + side * 9, 0, 9, 19, { fill: metal, stroke: '#6f777c', 'stroke-width': 1.5 }),
  ]);
}

/** Creases that run from the gathered ends into the pack. */
function folds(seed: string): string[] {
  const random = seededRandom(seed);
  return [0, LENGTH].flatMap((end) =>
    Array.from({ length: 15 }, (_, i) => {
      const spread = (i - 7) * 13;
      const reach = 70 + random() * 90;
      const to = end === 0 ? reach : LENGTH - reach;
      return path(
        `M${end} ${round(spread * 0.12)}Q${round((end + to) / 2)} ${round(spread * 0.9)} ${round(to)} ${round(spread * 1.05)}`,
        {
          fill: 'none',
          stroke: i % 2 ? '#ffffff' : '#59636a',
          'stroke-width': i % 2 ? 2.2 : 1.6,
          'stroke-opacity': i % 2 ? 0.6 : 0.32,
        },
      );
    }),
  );
}
