/** PDF readers accept the header within this many bytes (Adobe PDF Reference 1.7, appendix H, note 13). */
const HEADER_WITHIN_BYTES = 1024;

/**
 * True if bytes of no other known type are a PDF. Report generators and mail gateways put line breaks or lines of text
 * before the header. Leading markup is rejected, so that no file is both a PDF and an HTML page.
 */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, HEADER_WITHIN_BYTES)).toString('latin1');
  return start.includes('%PDF-') && !/^(?:\xEF\xBB\xBF)?\s*</.test(start);
}
