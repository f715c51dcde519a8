import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { copyProject } from './project-copy.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the catalogue is served. */
    siteUrl: string;
    /** The checkout it was made in. */
    projectFolder: string;
    /** A file with what `npm start` printed until it served the catalogue, or with why it didn't come to that. */
    startFile: { served: string; failed: string };
  }
}

interface Catalogue {
  siteUrl: string;
  projectFolder: string;
  startFile: { served: string; failed: string };
  stop: () => Promise<void>;
}

/** Several projects of tests ask for it, each with a module of its own. */
declare global {
  var sortimentCatalogue: Promise<Catalogue> | undefined;
}

/** Runs `npm start` in a fresh checkout, once for all journeys. They wait for it; others needn't. */
export default async function serveCatalogue(project: TestProject): Promise<() => Promise<void>> {
  const { siteUrl, projectFolder, startFile, stop } = await (globalThis.sortimentCatalogue ??= startCatalogue());
  project.provide('siteUrl', siteUrl);
  project.provide('projectFolder', projectFolder);
  project.provide('startFile', startFile);
  return stop;
}

async function startCatalogue(): Promise<Catalogue> {
  const port = 4300 + (process.pid % 500);
  const siteUrl = `http://localhost:${port}`;
  const { folder, start, remove } = await copyProject();
  const startFile = { served: path.join(folder, '.served.txt'), failed: path.join(folder, '.failed.txt') };
  const server = start('start', ['--port', String(port)], { SITE_URL: siteUrl });
  const started = server.printed(new RegExp(`${siteUrl}/?\\b`), 900_000).then(
    () => writeFile(startFile.served, server.output()),
    (error: unknown) => writeFile(startFile.failed, String(error)),
  );
  const stop = async (): Promise<void> => {
    await server.stop();
    await started;
    await remove();
  };
  return { siteUrl, projectFolder: folder, startFile, stop };
}
