/** Functions to see by whether their cost is told right: the first four are too slow. */

export function searchesTheRest(text: string): number {
  let found = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) if (text.includes('>', at)) found++;
  return found;
}

export function copiesTheList(text: string): string[] {
  return text.split('a').reduce<string[]>((parts, part) => [...parts, part], []);
}

export function looksFromEachSign(text: string): number {
  return text.split('"').filter((_, at) => /"x/.test(text.slice(at))).length;
}

export function neverEnds(text: string): string {
  let rest = text;
  while (rest.length > 0) rest = rest.replace(/^a/, '');
  return rest;
}

export function searchesOnce(text: string): number {
  return text.includes('>') ? text.split('<').length : 0;
}

export function joinsParts(text: string): string {
  let joined = '';
  for (const letter of text) joined += letter === '<' ? '&lt;' : letter;
  return joined;
}

export function sortsWords(text: string): string[] {
  return text.split(/\s/).toSorted((a, b) => a.localeCompare(b));
}
