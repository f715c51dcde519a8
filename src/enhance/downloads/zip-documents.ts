import { downloadZip } from 'client-zip';
import { documentFileName } from '#catalogue/documents/document-file-name.ts';

/** What a browser can hold without trouble, on a phone too. */
export const MAX_DOCUMENTS = 100;
export const MAX_MEGABYTES = 200;

/** A document that can't be had: nothing is made of the others then, so that no ZIP is silently incomplete. */
export class DocumentUnavailableError extends Error {
  readonly file: string;

  constructor(file: string) {
    super(`${file} could not be loaded`);
    this.file = file;
  }
}

/**
 * Packs documents into a ZIP, each of them once.
 * @param addresses Absolute; those of other hosts are refused by the page's policy.
 * @throws DocumentUnavailableError
 */
export async function zipDocuments(addresses: readonly string[], onProgress: (done: number) => void): Promise<Blob> {
  const files = [];
  for (const [done, address] of addresses.entries()) {
    onProgress(done);
    files.push({ name: documentFileName(address), input: await fetchDocument(address) });
  }
  return downloadZip(files).blob();
}

async function fetchDocument(address: string): Promise<Blob> {
  const answer = await fetch(address).catch(() => undefined);
  if (!answer?.ok) throw new DocumentUnavailableError(documentFileName(address));
  return answer.blob();
}
