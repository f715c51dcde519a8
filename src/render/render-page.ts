import { type RenderedPage, scanPage } from '#generated/scan/scan-text.ts';
import type { PageWriter } from '#files/page-writer.ts';

/** Writes a page and says what the manifest keeps of it. */
export function toResult(file: string, bytes: Uint8Array, writer: Pick<PageWriter, 'write'>): RenderedPage {
  const written = writer.write(file, bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return { bytes: bytes.length, ...scanPage(file, text), written };
}
