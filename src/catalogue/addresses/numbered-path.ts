/** Path of the n-th page of a list: the first stands at the list's own address. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}${pageParam(number)}/`;
}

/** The route's parameter for the n-th page of a list: `page/2`; undefined for the first. */
export function pageParam(number: number): string | undefined {
  return number === 1 ? undefined : `page/${number}`;
}
