import { render, type CollectionEntry } from 'astro:content';
import { noteUnknown } from '../port/reads.ts';

type Text = CollectionEntry<'overlays' | 'localPages'>;

/** Renders a text of the project. What components in it read, nobody may know: its page is part of every build. */
export async function renderText(text: Text): Promise<Awaited<ReturnType<typeof render>>['Content']> {
  if (bringsComponents(text)) noteUnknown();
  return (await render(text)).Content;
}

/** Whether a text has components of its own. */
export function bringsComponents({ body = '' }: { body?: string | undefined }): boolean {
  return /^import\s/m.test(body);
}
