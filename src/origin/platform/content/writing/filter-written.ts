import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { FOOTNOTES } from './merge-meta.ts';

interface Texts {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What was sent, with its texts as the caller may write them. Filtering takes time with long texts: call it before a
 * transaction, in which others would wait for it.
 */
export async function filterWritten<T extends Texts>(sent: T, caller: Caller): Promise<T> {
  if (can(caller, 'unfiltered_html')) return sent;
  const { title, content, excerpt, meta } = sent;
  const footnotes = meta?.[FOOTNOTES];
  return {
    ...sent,
    ...(title === undefined ? {} : { title: await runAside('filterInline', title) }),
    ...(content === undefined ? {} : { content: await runAside('filter', content) }),
    ...(excerpt === undefined ? {} : { excerpt: await runAside('filter', excerpt) }),
    ...(typeof footnotes === 'string'
      ? { meta: { ...meta, [FOOTNOTES]: await runAside('footnotes', footnotes) } }
      : {}),
  };
}
