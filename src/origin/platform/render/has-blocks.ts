/** Whether a text is made of blocks: they are marked by comments that begin with `wp:`. */
export function hasBlocks(stored: string): boolean {
  return stored.includes('<!-- wp:');
}
