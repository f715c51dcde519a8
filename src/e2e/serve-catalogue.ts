import type { TestProject } from 'vitest/node';
import { copyProject } from './project-copy.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the catalogue is served. */
    siteUrl: string;
    /** The checkout it was made in. */
    projectFolder: string;
    /** What `npm start` printed. */
    startOutput: string;
  }
}

/** Runs `npm start` in a fresh checkout, once for all journeys. */
export default async function serveCatalogue(project: TestProject): Promise<() => Promise<void>> {
  const port = 4300 + (process.pid % 500);
  const siteUrl = `http://localhost:${port}`;
  const copy = await copyProject();
  const server = copy.start('start', ['--port', String(port)], { SITE_URL: siteUrl });
  await server.printed(new RegExp(`${siteUrl}/?\\b`), 280_000);
  await untilAnswered(siteUrl);
  project.provide('siteUrl', siteUrl);
  project.provide('projectFolder', copy.folder);
  project.provide('startOutput', server.output());
  return async () => {
    await server.stop();
    await copy.remove();
  };
}

async function untilAnswered(url: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (
      await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`nothing answers at ${url}`);
}
