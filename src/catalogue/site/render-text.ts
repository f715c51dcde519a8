import { render, type CollectionEntry } from 'astro:content';
import { recordUntrackedRead } from '../port/tracked-queries.ts';

type Text = CollectionEntry<'overlays' | 'localPages'>;

/** Renders a text of the project. Reads of its components can't be tracked, so its page is rendered in every build. */
export async function renderText(text: Text): Promise<Awaited<ReturnType<typeof render>>['Content']> {
  if (hasComponents(text)) recordUntrackedRead();
  return (await render(text)).Content;
}

/** True if a text imports components. */
export function hasComponents({ body = '' }: { body?: string | undefined }): boolean {
  return /^import\s/m.test(body);
}
