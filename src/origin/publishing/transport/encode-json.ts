/**
 * JSON as servers of this interface print it: slashes escaped, everything beyond ASCII as `\uXXXX`, so that the
 * bytes survive any charset and can stand inside HTML.
 */
export function encodeJson(value: unknown, pretty = false): string {
  return JSON.stringify(value, undefined, pretty ? 4 : undefined)
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
