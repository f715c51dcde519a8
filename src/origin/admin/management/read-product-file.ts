export interface FoundRecord {
  /** For a person: `line 3`, or `9524010000016 de-de`. */
  place: string;
  /** What the place promises: the record's own keys have to agree. */
  keys?: { gtin: string; language: string };
  wire: unknown;
}

/** Finds the records of a file: `{gtin: {language: record}}` in JSON, or one record a line (NDJSON). */
export function readProductFile(text: string): FoundRecord[] {
  const whole = parse(text);
  if (isObject(whole) && !('gtin' in whole)) return readTree(whole);
  if (whole !== undefined) return [{ place: 'line 1', wire: whole }];
  return text
    .split('\n')
    .map((line, i) => ({ place: `line ${i + 1}`, line: line.trim() }))
    .filter(({ line }) => line !== '')
    .map(({ place, line }) => ({ place, wire: parse(line) }));
}

function readTree(tree: Record<string, unknown>): FoundRecord[] {
  return Object.entries(tree).flatMap(([gtin, languages]): FoundRecord[] => {
    if (!isObject(languages)) return [{ place: gtin, wire: undefined }];
    return Object.entries(languages).map(([language, wire]) => ({
      place: `${gtin} ${language}`,
      keys: { gtin, language },
      wire,
    }));
  });
}

/** `undefined` for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
