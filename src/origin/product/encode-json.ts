/** Encodes JSON as the interface does: compact by default, escaping only characters that break scripts. */
export function encodeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
