import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { linkPackages } from './cached-bundle.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-packages-'));
const workspace = path.join(folder, 'workspace');
const root = path.join(workspace, 'sites/shop');
mkdirSync(path.join(workspace, 'node_modules/astro'), { recursive: true });
mkdirSync(root, { recursive: true });
writeFileSync(path.join(workspace, 'node_modules/astro/package.json'), '{"name":"astro","main":"main.cjs"}');
writeFileSync(path.join(workspace, 'node_modules/astro/main.cjs'), 'module.exports = "found";');

it('finds the packages of the project from a folder outside of it, time and again', async () => {
  const outside = path.join(folder, 'home/build');
  for (let time = 0; time < 2; time += 1) linkPackages(outside, root);
  mkdirSync(path.join(outside, 'bundle'));
  const module = path.join(outside, 'bundle/page.mjs');
  writeFileSync(module, "export { default } from 'astro';");
  expect(((await import(module)) as { default: string }).default).toBe('found');
});

it('leaves a folder inside of the project as it is', () => {
  const inside = path.join(root, '.sortiment/build');
  linkPackages(inside, root);
  expect(existsSync(path.join(inside, 'node_modules'))).toBe(false);
});
