import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { lockBuild } from './lock-build.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-lock-'));
const settings = { home: folder, distFolder: path.join(folder, 'dist') } as Settings;
const { lockFile } = buildPaths(settings);
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('allows one build at a time', () => {
  const lock = lockBuild(settings);
  expect(() => lockBuild(settings)).toThrow(/^Another build is writing/);
  lock[Symbol.dispose]();
  lockBuild(settings)[Symbol.dispose]();
});

it.each([
  ['a damaged file', () => writeFileSync(lockFile, 'damaged '.repeat(1000)), 'file is not a database'],
  ['a folder', () => mkdirSync(lockFile), 'permission'],
])('names a lock that is %s, and waits for no other build', (_, damage, why) => {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  damage();
  expect(() => lockBuild(settings)).toThrow(new RegExp(`lock of builds can't be opened: .*${why}`));
});
