import type { Language, LanguagePage } from '#contracts/product/index.ts';
import type { Answer } from './answer.ts';

/** The languages that a product interface lists. */
export interface LanguageListing {
  languages: Language[];
  /** Why the list may lack some: continues the sentence "The list of languages …". Undefined for a whole list. */
  problem: string | undefined;
}

/**
 * Reads the list of languages to its end, page by page.
 * @param first Address of the list.
 * @param root Root of the interface.
 * @param read Reads one page.
 * @returns The first answer that isn't good, or all languages.
 */
export async function readLanguages(
  { first, root }: { first: string; root: string },
  read: (url: string) => Promise<Answer<LanguagePage>>,
): Promise<Answer<LanguageListing>> {
  const languages = new Map<string, Language>();
  const visited = new Set<string>();
  let rows = 0;
  for (let url = first; ;) {
    visited.add(url);
    const answer = await read(url);
    if (answer.kind !== 'ok') return answer;
    const { results, count, next } = answer.value;
    const known = languages.size;
    for (const language of results) languages.set(language.code, languages.get(language.code) ?? language);
    rows += results.length;
    const conclude = (problem: string | undefined) => conclusion(answer, [...languages.values()], problem);
    if (next === undefined) {
      return conclude(
        count === undefined || count === rows ? undefined : `says that there are ${count}, and has ${rows}`,
      );
    }
    const following = onOwnHost(next, url, root);
    if (following === undefined) return conclude('goes on at an address that is none');
    if (visited.has(following) || languages.size === known) return conclude('leads back to what it has listed before');
    url = following;
  }
}

function conclusion(
  answer: Extract<Answer<LanguagePage>, { kind: 'ok' }>,
  languages: Language[],
  problem: string | undefined,
): Answer<LanguageListing> {
  if (languages.length > 0) return { ...answer, value: { languages, problem } };
  const { method, url, status, sample } = answer;
  const problems = [{ field: '', problem: 'is empty' }];
  return { kind: 'unreadable', method, url, status, sample, detail: 'is not what the interface describes', problems };
}

/** Servers behind a proxy often don't know its scheme, host and first folders: only the rest of `next` is followed. */
function onOwnHost(next: string, current: string, root: string): string | undefined {
  const target = URL.parse(next, current);
  if (!target) return undefined;
  const following = new URL(current);
  if (target.pathname.startsWith(new URL(root).pathname)) following.pathname = target.pathname;
  following.search = target.search;
  return following.href;
}
