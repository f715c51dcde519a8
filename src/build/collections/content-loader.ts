import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import { contentFolders, readContent } from '#files/content-files.ts';

/**
 * Loads the YAML or JSON files of a folder: those of Sortiment, and those of the project, whose values replace others
 * with the same key.
 */
export function contentLoader(folder: string, ending: '.json' | '.yaml'): Loader {
  return {
    name: 'sortiment-content',
    load: async (context) => {
      const root = fileURLToPath(context.config.root);
      const load = async (): Promise<void> => storeContent(context, root, readContent(root, folder, ending));
      await load();
      const folders = contentFolders(root).map((parent) => path.join(parent, folder));
      const reload = (changed: string): void => {
        if (!folders.includes(path.dirname(changed))) return;
        // An error must not end the dev server: a file may be saved while it is incomplete.
        load().catch((error: unknown) => context.logger.error(String(error)));
      };
      context.watcher?.add(folders);
      for (const event of ['add', 'change', 'unlink'] as const) context.watcher?.on(event, reload);
    },
  };
}

async function storeContent(
  { store, parseData, generateDigest }: LoaderContext,
  root: string,
  contents: ReturnType<typeof readContent>,
): Promise<void> {
  const entries = await Promise.all(
    Array.from(contents, async ([id, content]) => {
      const filePath = path.relative(root, content.file).split(path.sep).join('/');
      const data = await parseData({ id, data: content.data, filePath });
      return { id, data, filePath, digest: generateDigest(data) };
    }),
  );
  store.clear();
  for (const entry of entries) store.set(entry);
}
