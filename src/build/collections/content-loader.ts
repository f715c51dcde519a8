import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import { parse } from 'yaml';
import { contentFiles, contentFolders } from '#files/content-files.ts';

/**
 * Loads the YAML or JSON files of a folder: those of Sortiment, and those of the project, whose values replace others
 * with the same key.
 */
export function contentLoader(folder: string, ending: '.json' | '.yaml'): Loader {
  return {
    name: 'sortiment-content',
    load: async (context) => {
      const roots = contentFolders(fileURLToPath(context.config.root));
      await loadFiles(context, roots, folder, ending);
      const reload = (changed: string): void => {
        if (roots.some((root) => path.dirname(changed) === path.join(root, folder)))
          void loadFiles(context, roots, folder, ending);
      };
      for (const root of roots) context.watcher?.add(path.join(root, folder));
      for (const event of ['add', 'change', 'unlink'] as const) context.watcher?.on(event, reload);
    },
  };
}

async function loadFiles(
  { config, store, parseData, generateDigest }: LoaderContext,
  roots: readonly string[],
  folder: string,
  ending: string,
): Promise<void> {
  const entries = new Map<string, { data: Record<string, unknown>; filePath: string }>();
  for (const { id, path: file } of contentFiles(roots, folder, ending)) {
    const data = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    const filePath = path.relative(fileURLToPath(config.root), file).split(path.sep).join('/');
    entries.set(id, { data: { ...entries.get(id)?.data, ...data }, filePath });
  }
  store.clear();
  for (const [id, { data, filePath }] of entries) {
    const parsed = await parseData({ id, data, filePath });
    store.set({ id, data: parsed, filePath, digest: generateDigest(parsed) });
  }
}
