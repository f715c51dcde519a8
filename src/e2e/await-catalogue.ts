import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';

/** Setup of end-to-end tests: waits until the catalogue is served. */
const { served, failed } = inject('startFile');
while (!existsSync(served)) {
  if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
  await setTimeout(200);
}
await fetch(inject('siteUrl'));
