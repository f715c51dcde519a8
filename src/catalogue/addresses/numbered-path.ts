/** Path of the n-th page of a list: the first stands at the list's own address. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}${pageParam(number)}/`;
}

/** What the path of the n-th page has below that of its list, as the parameter of a route: nothing for the first. */
export function pageParam(number: number): string | undefined {
  return number === 1 ? undefined : `page/${number}`;
}
