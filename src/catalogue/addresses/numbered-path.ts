/** Returns the path of the n-th page of a list. The first page has the list's own path. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}${pageParam(number)}/`;
}

/** Returns the route parameter of the n-th page of a list, such as `page/2`. It is undefined for the first. */
export function pageParam(number: number): string | undefined {
  return number === 1 ? undefined : `page/${number}`;
}
