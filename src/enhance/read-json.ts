/** Reads a JSON file of the site. @throws Error when it can't be had: the page then stays as it was built. */
export async function readJson<T>(address: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(address, { signal: signal ?? null });
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
  return (await answer.json()) as T;
}
