import type { PageWriter } from './page-writer.ts';
import { surveyPage } from './survey-text.ts';

export interface RenderedPage {
  bytes: number;
  /** `PageHead` as JSON; empty for what is no page but a feed or the like. */
  head: string;
  /** `FileReferences` as JSON. */
  references: string;
  /** False when the file was as it is already. */
  written: boolean;
}

/** Writes a page and says what the ledger keeps of it. */
export function settlePage(file: string, bytes: Uint8Array, writer: Pick<PageWriter, 'write'>): RenderedPage {
  const written = writer.write(file, bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  return { bytes: bytes.length, ...surveyPage(file, text), written };
}
