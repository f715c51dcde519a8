/** Returns the language without its region: `de-at` -> `de`. */
export function baseLanguage(code: string): string {
  return code.split('-')[0] ?? code;
}
