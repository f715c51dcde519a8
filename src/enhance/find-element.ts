/**
 * An element that the page was built with.
 * @throws Error when it isn't there: the script and the page don't belong together.
 */
export function findElement<T extends Element>(parent: ParentNode, selector: string, type: new () => T): T {
  const found = parent.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${selector}`);
}
