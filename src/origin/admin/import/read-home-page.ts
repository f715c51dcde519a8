/** An address that a browser may open; empty for everything else. */
export function readHomePage(address: string): string {
  return /^https?:/i.test(address) && URL.canParse(address) ? address : '';
}
