/** Path of the n-th page of a list: the first stands at the list's own address. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}page/${number}/`;
}
