/** Reads something of a language when it is asked for first. @param known What was read before. */
export function byLanguage<T>(read: (language: string) => T, known = new Map<string, T>()): (language: string) => T {
  return (language) => {
    const found = known.get(language) ?? read(language);
    known.set(language, found);
    return found;
  };
}
