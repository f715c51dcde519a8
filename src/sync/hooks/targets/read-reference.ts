/** A text or number somewhere in an answer's JSON, such as `['job', 'id']`. */
export function readReference(body: string, path: readonly string[]): string | undefined {
  let value = parseJson(body);
  for (const name of path) value = isRecord(value) ? value[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The `success` flag of an answer; undefined when it has none. */
export function readSuccess(body: string): boolean | undefined {
  const answer = parseJson(body);
  const success = isRecord(answer) ? answer['success'] : undefined;
  return typeof success === 'boolean' ? success : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
