import type { Language, LanguagePage } from '#contracts/product/index.ts';
import type { UpstreamResult } from './upstream-result.ts';

/** Languages of a product interface. */
export interface LanguageListResult {
  languages: Language[];
  /** Reason why the list may be incomplete; continues the sentence "The list of languages …". Undefined if complete. */
  problem: string | undefined;
}

/**
 * Reads all pages of the language list.
 * @param first Address of the list.
 * @param root Root of the interface.
 * @param read Fetches one page.
 * @returns The first failed response, or all languages.
 */
export async function fetchLanguages(
  { first, root }: { first: string; root: string },
  read: (url: string) => Promise<UpstreamResult<LanguagePage>>,
): Promise<UpstreamResult<LanguageListResult>> {
  const languages = new Map<string, Language>();
  const visited = new Set<string>();
  let rows = 0;
  for (let url = first; ;) {
    visited.add(url);
    const answer = await read(url);
    if (answer.kind !== 'ok') return answer;
    const { results, count, next } = answer.value;
    const previousSize = languages.size;
    for (const language of results) languages.set(language.code, languages.get(language.code) ?? language);
    rows += results.length;
    const finish = (problem: string | undefined) => languagesResult(answer, [...languages.values()], problem);
    if (next === undefined) {
      return finish(count === undefined || count === rows ? undefined : `has ${rows} entries, but announces ${count}`);
    }
    const nextUrl = resolveNext(next, url, root);
    if (nextUrl === undefined) return finish('continues at an invalid address');
    if (visited.has(nextUrl) || languages.size === previousSize) return finish('repeats entries of an earlier page');
    url = nextUrl;
  }
}

function languagesResult(
  answer: Extract<UpstreamResult<LanguagePage>, { kind: 'ok' }>,
  languages: Language[],
  problem: string | undefined,
): UpstreamResult<LanguageListResult> {
  if (languages.length > 0) return { ...answer, value: { languages, problem } };
  const { method, url, status, sample } = answer;
  const problems = [{ field: '', problem: 'is empty' }];
  return { kind: 'unreadable', method, url, status, sample, detail: 'is not what the interface describes', problems };
}

/**
 * Resolves `next` on the current host. Servers behind a proxy often don't know their public scheme, host and base path.
 */
function resolveNext(next: string, current: string, root: string): string | undefined {
  const target = URL.parse(next, current);
  if (!target) return undefined;
  const nextUrl = new URL(current);
  if (target.pathname.startsWith(new URL(root).pathname)) nextUrl.pathname = target.pathname;
  nextUrl.search = target.search;
  return nextUrl.href;
}
