import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { cachedFolder } from '#origin/platform/store/cached-folder.ts';
import { copyProject } from './project-copy.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the served catalogue. */
    siteUrl: string;
    /** Checkout of the served catalogue. */
    projectFolder: string;
    /** Files with the output of `npm start` until it served the catalogue, or the reason of its failure. */
    startFile: { served: string; failed: string };
  }
}

interface Catalogue {
  siteUrl: string;
  projectFolder: string;
  startFile: { served: string; failed: string };
  stop: () => Promise<void>;
}

/** Shared by several test projects, which load separate copies of this module. */
declare global {
  var sortimentCatalogue: Promise<Catalogue> | undefined;
}

/** Runs `npm start` in a fresh checkout, once for all end-to-end tests. */
export default async function serveCatalogue(project: TestProject): Promise<() => Promise<void>> {
  const { siteUrl, projectFolder, startFile, stop } = await (globalThis.sortimentCatalogue ??= startCatalogue());
  project.provide('siteUrl', siteUrl);
  project.provide('projectFolder', projectFolder);
  project.provide('startFile', startFile);
  return stop;
}

async function startCatalogue(): Promise<Catalogue> {
  const port = await findFreePort();
  const siteUrl = `http://localhost:${port}`;
  const { folder, start, remove } = await copyProject();
  const pictures = await usePictures(folder);
  const startFile = { served: path.join(folder, '.served.txt'), failed: path.join(folder, '.failed.txt') };
  const server = start('start', ['--port', String(port)], { SITE_URL: siteUrl });
  const started = server.printed(new RegExp(`${siteUrl}/?\\b`), 900_000).then(
    async () => {
      await writeFile(startFile.served, server.output());
      // A missing cache only makes the next run slower.
      await pictures.save().catch(() => undefined);
    },
    (error: unknown) => writeFile(startFile.failed, String(error)),
  );
  const stop = async (): Promise<void> => {
    await server.stop();
    await started;
    await remove();
  };
  return { siteUrl, projectFolder: folder, startFile, stop };
}

/** Uses ports below the ephemeral range, because the port is bound minutes later. */
async function findFreePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) if (await isFree(port)) return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(port, 'localhost', () => probe.close(() => resolve(true)));
  });
}

/** Sources of the demo's images. */
const PICTURE_SOURCES = ['content/demo', 'src/catalogue/images', 'src/generated/images', 'src/generated/previews'];

/**
 * Caches the demo's images between runs, because generating them takes most of a start. They are keyed by their
 * sources. A soak generates them.
 */
async function usePictures(project: string): Promise<{ save: () => Promise<void> }> {
  if (process.env['SORTIMENT_SOAK']) return { save: () => Promise.resolve() };
  const pictures = path.join(project, '.sortiment/images');
  const name = `pictures-${digestOf(PICTURE_SOURCES.map((source) => path.join(project, source)))}`;
  const cachedPictures = await cachedFolder(name, failToMake).catch(() => undefined);
  if (cachedPictures !== undefined) await cp(cachedPictures, pictures, { recursive: true });
  return { save: async () => void (await cachedFolder(name, (empty) => cp(pictures, empty, { recursive: true }))) };
}

const failToMake = (): Promise<void> => Promise.reject(new Error('No run has made them.'));

function digestOf(folders: readonly string[]): string {
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
