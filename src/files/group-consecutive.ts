/** Groups consecutive items with the same key. A key that recurs later starts a new group. */
export function* groupConsecutive<T>(items: Iterable<T>, keyOf: (item: T) => unknown): Generator<[T, ...T[]]> {
  let run: [T, ...T[]] | undefined;
  for (const item of items) {
    if (run && keyOf(run[0]) === keyOf(item)) run.push(item);
    else {
      if (run) yield run;
      run = [item];
    }
  }
  if (run) yield run;
}
