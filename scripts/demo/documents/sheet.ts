import Pdf from 'pdfkit';
import type { Font, Subset } from 'fontkit';
import { toBcp47 } from '#contracts/product/index.ts';
import { splitByGlyphs } from '../lettering/letter.ts';
import { standInGlyph } from '../lettering/stand-in-glyphs.ts';
import { UNITS_PER_EM, type Weight, typeface } from '../lettering/typeface.ts';
import { textWidth, type TextStyle } from './typesetting.ts';

/** Numbers of glyphs that stand for characters which the font lacks: no font has so many of its own. */
const FIRST_STAND_IN = 0x10000;

const made = new Map<Weight, Font>();

/** A4 and its margins in points. */
export const PAGE = { width: 595.28, height: 841.89, left: 56, right: 56, top: 98, bottom: 74 } as const;
export const CONTENT_WIDTH = PAGE.width - PAGE.left - PAGE.right;

/** When all demo documents were made: the files are the same bytes whenever they are generated. */
export const DOCUMENT_DATE = new Date('2026-11-02T08:00:00Z');

export type Element = PDFKit.PDFStructureElement;

/** Pages of a document under way. Its contents are tagged, so that a screen reader can follow them. */
export interface Sheet {
  doc: PDFKit.PDFDocument;
  /** The element that everything readable belongs to. */
  root: Element;
  /** Distance from the top of the page to where the next block starts, in points. */
  y: number;
  /** Sets one line; `y` is its baseline. Only inside `tagged` or `artifact`. */
  setLine(text: string, x: number, y: number, style: TextStyle, tracking?: number): void;
  /** Makes an element below `parent`; what `draw` sets becomes its content. */
  tagged(
    type: string,
    parent: Element,
    draw?: () => void,
    options?: { alt?: string; scope?: 'Row' | 'Column' },
  ): Element;
  /** Draws what readers skip: rules, page numbers, decoration. */
  artifact(draw: () => void): void;
  /** Starts a page if fewer than `height` points are left on this one. */
  ensure(height: number): void;
  newPage(): void;
  /** Ends the document; `decorate` draws head and foot of each page. */
  finish(decorate: (page: number, pages: number) => void): Promise<Buffer>;
}

export interface SheetOptions {
  title: string;
  subject: string;
  /** Code of the language, such as `de-de`. */
  language: string;
  /** Drawn on every page before anything else. */
  underlay?: (sheet: Sheet) => void;
}

export function openSheet({ title, subject, language, underlay }: SheetOptions): Sheet {
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: toBcp47(language),
    info: { Title: title, Subject: subject, Author: 'Haldenwerk', Creator: 'Haldenwerk', CreationDate: DOCUMENT_DATE },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const fonts = new Set<Weight>();

  const useFont = (weight: Weight) => {
    if (!fonts.has(weight)) doc.registerFont(`w${weight}`, openedFont(weight));
    fonts.add(weight);
    doc.font(`w${weight}`);
  };

  const sheet: Sheet = {
    doc,
    root,
    y: PAGE.top,
    setLine(text, x, y, style, tracking = 0) {
      let pen = x;
      for (const part of splitByGlyphs(text, style.weight)) {
        const standIn = standInGlyph(part, style.weight);
        useFont(style.weight);
        if (standIn) drawStandIn(doc, part, standIn.outline, pen, y, style);
        else {
          doc.fontSize(style.size).fillColor(style.color);
          doc.text(part, pen, y, { lineBreak: false, baseline: 'alphabetic', characterSpacing: tracking });
        }
        pen += textWidth(part, style) + tracking * part.length;
      }
    },
    tagged(type, parent, draw, options = {}) {
      const element = doc.struct(type, options);
      parent.add(element);
      if (draw) element.add(draw);
      return element;
    },
    artifact(draw) {
      doc.markContent('Artifact', { type: 'Layout' });
      draw();
      doc.endMarkedContent();
    },
    ensure(height) {
      if (sheet.y + height > PAGE.height - PAGE.bottom) sheet.newPage();
    },
    newPage() {
      doc.addPage();
      sheet.y = PAGE.top;
      underlay?.(sheet);
    },
    async finish(decorate) {
      const { start, count } = doc.bufferedPageRange();
      root.end();
      for (let page = 0; page < count; page++) {
        doc.switchToPage(start + page);
        decorate(page + 1, count);
      }
      const ended = new Promise<void>((resolve, reject) => void doc.once('end', resolve).once('error', reject));
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
  underlay?.(sheet);
  return sheet;
}

/** The outlines are drawn; the text that they mean is set without ink, for searching, copying and reading aloud. */
function drawStandIn(
  doc: PDFKit.PDFDocument,
  meaning: string,
  outline: string,
  x: number,
  y: number,
  style: TextStyle,
): void {
  doc.fontSize(style.size).fillColor(style.color);
  doc.text(meaning, x, y, { lineBreak: false, baseline: 'alphabetic' });
  if (!outline) return;
  const scale = style.size / UNITS_PER_EM;
  doc.save().translate(x, y).scale(scale, -scale).path(outline).fill(style.color).restore();
}

/**
 * pdfkit takes a font that is open already, which its types don't know yet. Opening it again for every document
 * would take longer than setting the document.
 */
function openedFont(weight: Weight): PDFKit.Mixins.PDFFontSource {
  return documentTypeface(weight) as unknown as PDFKit.Mixins.PDFFontSource;
}

/**
 * The font for documents: a character that it lacks is a blank of the right width, with that character in the text of
 * the document. A reader of the text takes `≥` from it and not from what is drawn there.
 */
function documentTypeface(weight: Weight): Font {
  const known = made.get(weight);
  if (known) return known;
  const font = typeface(weight);
  const ownLayout = font.layout.bind(font);
  const blank = font.glyphForCodePoint(0x20).id;
  const documentFont: Font = Object.create(font, {
    layout: {
      value: (text: string, ...rest: never[]) => {
        const standIn = text.length === 1 ? standInGlyph(text, weight) : undefined;
        const codePoint = text.codePointAt(0) ?? 0;
        return standIn ? blankRun(FIRST_STAND_IN + codePoint, codePoint, standIn.advance) : ownLayout(text, ...rest);
      },
    },
    createSubset: { value: () => withBlanks(font.createSubset(), blank) },
  });
  made.set(weight, documentFont);
  return documentFont;
}

function blankRun(id: number, codePoint: number, advanceWidth: number) {
  return {
    glyphs: [{ id, advanceWidth, codePoints: [codePoint] }],
    positions: [{ xAdvance: advanceWidth, yAdvance: 0, xOffset: 0, yOffset: 0 }],
    advanceWidth,
  };
}

/** A subset in which every stand-in is a glyph of its own, and all of them are the blank. */
function withBlanks(subset: Subset, blank: number): Subset {
  const glyphs: unknown = Reflect.get(subset, 'glyphs');
  // Its types leave the list out, and say `boolean` of what is the place in it.
  if (!Array.isArray(glyphs)) throw new TypeError('A subset of fontkit has no list of glyphs');
  const places = new Map<number, number>();
  const include = subset.includeGlyph.bind(subset);
  Reflect.set(subset, 'includeGlyph', (id: number): unknown => {
    if (id < FIRST_STAND_IN) return Reflect.apply(include, undefined, [id]);
    const place = places.get(id) ?? glyphs.push(blank) - 1;
    places.set(id, place);
    return place;
  });
  return subset;
}
