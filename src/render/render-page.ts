import { type RenderedPage, scanPage } from '#generated/scan/scan-text.ts';
import type { WrittenText } from '#files/encode-text.ts';
import type { PageWriter } from '#files/page-writer.ts';

/** Writes a page and returns its manifest entry. */
export function toResult(file: string, { bytes, text }: WrittenText, writer: Pick<PageWriter, 'write'>): RenderedPage {
  writer.write(file, bytes);
  return { bytes: bytes.length, ...scanPage(file, text) };
}
