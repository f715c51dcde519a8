import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Loader } from 'astro/loaders';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SCREENSHOTS = '.github/screenshots/';

/** Address of the folder with the source files. Without it, links to them become text. */
const SOURCE = process.env['DOCS_SOURCE'];

/** Properties of images, which are at the top of pages and as wide as the text (`--sl-content-width`). */
const IMAGE = '"priority":true,"widths":[430,760,864,1296,1710],"sizes":"(min-width: 54rem) 54rem, 100vw"';

/** Loads README.md as the start page and the files of content/docs. Titles are their first headings. */
export function markdownLoader(): Loader {
  return {
    name: 'markdown-loader',
    load: async ({ store, config, parseData, renderMarkdown }) => {
      store.clear();
      for (const file of ['README.md', ...globSync('content/docs/*.md', { cwd: ROOT })]) {
        const id = file === 'README.md' ? 'index' : path.parse(file).name;
        const [, title = id, text = ''] = /^# (.+)\n([^]*)/.exec(readFileSync(path.join(ROOT, file), 'utf8')) ?? [];
        const data = await parseData({ id, data: { title, description: describe(text) } });
        const body = rewriteLinks(text, file, config.base.replace(/\/$/, ''));
        const rendered = await renderMarkdown(body, { fileURL: pathToFileURL(path.join(ROOT, file)) });
        const filePath = path.relative(`${config.root.pathname}`, path.join(ROOT, file));
        rendered.html = rendered.html.replaceAll('__ASTRO_IMAGE_="{', `$&${IMAGE.replaceAll('"', '&quot;')},`);
        store.set({ id, data, body, filePath, rendered, assetImports: rendered.metadata?.imagePaths ?? [] });
      }
    },
  };
}

/** Returns the first sentences outside of code, tables and lists as plain text. */
function describe(text: string): string {
  const paragraph = text
    .replaceAll(/^```[^]*?^```/gm, '')
    .split(/\n{2,}/)
    .find((block) => /^[A-Z`[]/.test(block.trim()));
  return (paragraph ?? '').trim().replaceAll(/`|\*\*|\]\([^)]*\)|\[|[<>]/g, '');
}

/** Points links to files at pages, screenshots or source files. Code stays as it is. */
function rewriteLinks(text: string, file: string, base: string): string {
  return text.replaceAll(
    /^```[^]*?^```|`[^`\n]*`|(?<!!)\[((?:[^\]`]|`[^`]*`)*)\]\((?!\w+:|#)([^)#]*)(#[^)]*)?\)/gm,
    (found, label?: string, target = '', anchor = '') => {
      if (label === undefined) return found;
      const place = path.posix.join(path.posix.dirname(file), target);
      const page = /^content\/docs\/([\w-]+)\.md$/.exec(place)?.[1];
      if (page !== undefined) return `[${label}](${base}/${page}/${anchor})`;
      if (place.startsWith(SCREENSHOTS)) return `[${label}](${base}/screenshots/${place.slice(SCREENSHOTS.length)})`;
      return SOURCE ? `[${label}](${SOURCE}/${place}${anchor})` : label;
    },
  );
}
