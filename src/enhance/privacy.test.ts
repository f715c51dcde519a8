import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Sources that may run in a browser. */
const SOURCES = globSync('src/{enhance,components,layouts,pages}/**/*.{ts,astro}').filter(
  (file) => !file.endsWith('.test.ts'),
);
const OTHER_STORAGE = /\b(?:sessionStorage|indexedDB|cookieStore|document\.cookie|caches\.open)\b/;
const UNNAMED_KEY = /localStorage(?:\[|\.(?:getItem|setItem)\((?!key\b))/;

const read = (file: string) => readFileSync(file, 'utf8');

it('stores nothing in the browser that the privacy pages leave out', () => {
  const storing = SOURCES.filter((file) => /localStorage|Stored\(/.test(read(file)));
  const keys = storing.flatMap((file) =>
    [...read(file).matchAll(/^const [A-Z]+ = '([^']+?):?';$/gm)].map(([, key]) => key),
  );
  expect(keys).toEqual(expect.arrayContaining(['podcast-position', 'podcast-speed', 'shortlist']));
  const pages = globSync('content/pages/*/privacy.mdx');
  expect(pages).toHaveLength(3);
  for (const page of pages) for (const key of keys) expect(read(page), page).toContain(`\`${key}\``);
});

it('stores values in localStorage only, under constant keys', () => {
  expect(SOURCES.filter((file) => OTHER_STORAGE.test(read(file)) || UNNAMED_KEY.test(read(file)))).toEqual([]);
});
