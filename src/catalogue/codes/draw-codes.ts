import { EAN_MARGINS, EAN_WIDTH, eanPath } from './ean-barcode.ts';
import { QR_MARGIN, qrCode } from './qr-code.ts';

/** SVG of a code. The unit is a module. */
export interface CodeDrawing {
  /** `viewBox`. */
  box: string;
  /** Path of the light background that scanners require around a code. */
  ground: string;
  /** Path of the bars (fill) or of the modules (stroke). */
  path: string;
}

const BAR_HEIGHT = 60;
const GUARD_HEIGHT = 65;
/** Height of the background, including the digits. */
const EAN_HEIGHT = 74;
const EAN_TOP = 2;

interface Codes {
  ean: CodeDrawing;
  qr: CodeDrawing;
}

/** Caches the last product, because its pages in all languages are rendered in sequence. */
let last: { gtin: string; link: string; codes: Codes } | undefined;

/** Renders the EAN and QR codes of a product. @param link Content of the QR code. */
export function drawCodes(gtin: string, link: string): Codes {
  if (last?.gtin !== gtin || last.link !== link) last = { gtin, link, codes: renderCodes(gtin, link) };
  return last.codes;
}

function renderCodes(gtin: string, link: string): Codes {
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

/** Returns the view box and background of a code with margins around its first module. */
function ground(left: number, top: number, width: number, height: number): Pick<CodeDrawing, 'box' | 'ground'> {
  return { box: `-${left} -${top} ${width} ${height}`, ground: `M-${left}-${top}h${width}v${height}h-${width}z` };
}
