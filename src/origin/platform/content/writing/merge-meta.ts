import { plainText } from '#origin/platform/render/index.ts';

export type Meta = Readonly<Record<string, string>>;

export interface MergedMeta {
  meta: Meta;
  /** The first key whose value is no text: it and those behind it are not merged. */
  wrongKey?: string;
}

/** The key whose text may hold HTML, inside JSON: `filterWritten` sees to it. */
export const FOOTNOTES = 'footnotes';

/** Values of a row as a write leaves them: known keys only, null takes a value away, others keep theirs. */
export function mergeMeta(keys: readonly string[], before: Meta, sent: Readonly<Record<string, unknown>>): MergedMeta {
  const meta: Record<string, string> = { ...before };
  for (const key of keys) {
    const value = sent[key];
    if (value === undefined) continue;
    if (value === null) delete meta[key];
    else if (typeof value !== 'string') return { meta, wrongKey: key };
    else meta[key] = key === FOOTNOTES ? value : plainText(value);
  }
  return { meta };
}
