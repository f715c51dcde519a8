import { EAN_MARGINS, EAN_WIDTH, eanPath } from './ean-barcode.ts';
import { QR_MARGIN, qrCode } from './qr-code.ts';

/** A code as SVG in modules. */
export interface CodeDrawing {
  /** `viewBox`. */
  box: string;
  /** Path of the light ground that scanners need around a code. */
  ground: string;
  /** Path of the bars, to be filled, or of the modules, to be stroked. */
  path: string;
}

const BAR_HEIGHT = 60;
const GUARD_HEIGHT = 65;
/** Of the ground, with room for the digits. */
const EAN_HEIGHT = 74;
const EAN_TOP = 2;

interface Codes {
  ean: CodeDrawing;
  qr: CodeDrawing;
}

/** The pages of a product in its languages are rendered one after the other. */
let last: { gtin: string; link: string; codes: Codes } | undefined;

/** The codes of a product. @param link What the QR code holds. */
export function drawCodes(gtin: string, link: string): Codes {
  if (last?.gtin !== gtin || last.link !== link) last = { gtin, link, codes: draw(gtin, link) };
  return last.codes;
}

function draw(gtin: string, link: string): Codes {
  const { left, right } = EAN_MARGINS;
  const qr = qrCode(link);
  const side = qr.size + 2 * QR_MARGIN;
  return {
    ean: {
      ...ground(left, EAN_TOP, left + EAN_WIDTH + right, EAN_HEIGHT),
      path: eanPath(gtin, BAR_HEIGHT, GUARD_HEIGHT),
    },
    qr: { ...ground(QR_MARGIN, QR_MARGIN, side, side), path: qr.path },
  };
}

/** What lies so far left of and above the first module. */
function ground(left: number, top: number, width: number, height: number): Pick<CodeDrawing, 'box' | 'ground'> {
  return { box: `-${left} -${top} ${width} ${height}`, ground: `M-${left}-${top}h${width}v${height}h-${width}z` };
}
