import { type PageScan, scanPage } from '#generated/scan/scan-text.ts';
import type { PageContent } from '#files/page-content.ts';
import type { PageWriter } from '#files/page-writer.ts';

/** Writes a page and returns its manifest entry. */
export function writePage(file: string, { bytes, text }: PageContent, writer: Pick<PageWriter, 'write'>): PageScan {
  writer.write(file, bytes);
  return { bytes: bytes.length, ...scanPage(file, text) };
}
