/** Deeper than anything either interface describes, and shallower than what the stack bears. */
export const MAX_DEPTH = 64;

/** Whether JSON is nested so deeply that whoever walks it would run out of stack; `JSON.parse` itself doesn't. */
export function isTooDeep(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isTooDeep(member, depth - 1));
}
