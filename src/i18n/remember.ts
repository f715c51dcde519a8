/** More than the numbers and days that most catalogues know, and little enough to keep. */
const MAX_REMEMBERED = 10_000;

/** Formats each value once: thousands of pages say the same numbers and days, and `Intl` is dear. */
export function remember<Value extends string | number>(format: (value: Value) => string): (value: Value) => string {
  const known = new Map<Value, string>();
  return (value) => {
    const remembered = known.get(value);
    if (remembered !== undefined) return remembered;
    const text = format(value);
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(value, text);
    return text;
  };
}
