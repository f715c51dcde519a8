import { canvas, type Canvas } from '../drawing/canvas.ts';
import { drawBoards } from './boards.ts';
import { drawBottle } from './bottle.ts';
import { drawBucket } from './bucket.ts';
import { drawCan } from './can.ts';
import { drawCartridge } from './cartridge.ts';
import { drawCompressionTape } from './compression-tape.ts';
import { drawFoilSausage } from './foil-sausage.ts';
import { drawGrommet } from './grommet.ts';
import { drawMembrane } from './membrane.ts';
import type { ProductLook, Shape } from './product-look.ts';
import { paintGround, STAGE } from './stage.ts';
import { drawTape } from './tape.ts';

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

/** The picture of a product as SVG, `STAGE` pixels square. Without its ground it is transparent, for banners. */
export function drawProduct(look: ProductLook, { ground }: { ground: boolean }): string {
  const stage = canvas(STAGE, STAGE);
  if (ground) paintGround(stage);
  DRAWINGS[look.shape](stage, look);
  return stage.toSvg();
}
