/** Finds the word that was probably meant: at most two edits away, and less than half of the word. */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, distance: editDistance(written, word) }))
    .filter(({ word, distance }) => distance <= 2 && distance * 2 < word.length)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.word;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
