/** A length in pixels, whatever was sent: the whole number a text begins with, without its sign, else 0. */
export function readLength(sent: unknown): number {
  const read = Number.parseInt(String(sent), 10);
  return Number.isNaN(read) ? 0 : Math.abs(read);
}
