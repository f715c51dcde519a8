import { getDocumentProxy } from 'unpdf';

/** Returns the text of a document exactly as it is stored, without Unicode normalization. Lines are joined by spaces. */
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

/** Collapses whitespace: line breaks are not part of a text. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
