/**
 * The language a query asks for, in the form of the language list: `DE_de` -> `de-de`. Empty is the same as
 * none; of several the last counts. Whether there is such a language is for others to say.
 */
export function readLanguage(query: URLSearchParams): string | undefined {
  const text = query.getAll('language').at(-1)?.trim();
  return text ? text.toLowerCase().replaceAll('_', '-') : undefined;
}
