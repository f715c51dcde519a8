import { resolveSettings } from '#config/index.ts';
import options from '#sortiment.config.ts';
import { createRebuilder } from '../rebuild-site.ts';
import { editSnapshot, createSeededRandom } from './test-catalogue.ts';

/**
 * Builds repeatedly in one process, as a watch does, after some changes of the snapshot each time. Arguments: seed of
 * the changes, number of builds, number of changes before each.
 */
const [seed = 0, builds = 1, edits = 1] = process.argv.slice(2).map(Number);
const random = createSeededRandom(seed);
const settings = resolveSettings(process.cwd(), options);
const rebuild = createRebuilder({
  info: () => undefined,
  debug: () => undefined,
  warn: (message) => void process.stderr.write(`${message}\n`),
});
for (let build = 0; build < builds; build++) {
  for (let edit = 0; edit < edits; edit++) editSnapshot(settings.root, random);
  const built = await rebuild(settings);
  process.stdout.write(`${JSON.stringify(built ?? { incompatible: true })}\n`);
}
