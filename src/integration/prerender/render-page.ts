import type { LedgerPage } from './page-ledger.ts';
import type { PageWriter } from './page-writer.ts';
import { surveyPage } from './survey-text.ts';

export type RenderedPage = Omit<LedgerPage, 'key'> & {
  /** False when the file was as it is already. */
  written: boolean;
};

/** Writes a page and says what the ledger keeps of it. */
export function settlePage(file: string, bytes: Uint8Array, writer: Pick<PageWriter, 'write'>): RenderedPage {
  const written = writer.write(file, bytes);
  return { bytes: bytes.length, ...surveyPage(file, Buffer.from(bytes).toString()), written };
}
