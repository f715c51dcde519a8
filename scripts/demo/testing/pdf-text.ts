import { getDocumentProxy } from 'unpdf';

/**
 * What a reader takes from a document, its lines joined by spaces. By another library than the one that wrote it, and
 * without its normalization: what counts is the characters that are there.
 */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ disableNormalization: true });
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
  }
  return plainText(pages.join('\n'));
}

/** Where lines break is no part of a text. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
