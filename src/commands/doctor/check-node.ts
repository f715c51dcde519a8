import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fail, ok, type Finding } from './finding.ts';

const packageFile = z.object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) });

/** Whether this Node runs the project, by its own `package.json`. */
export async function checkNode(root: string, version: string = process.versions.node): Promise<Finding> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  const wanted = packageFile.parse(JSON.parse(text)).engines.node.slice(2);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  const enough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return enough
    ? ok('Node', version)
    : fail(
        'Node',
        `${version}, but ${wanted} or newer is needed`,
        `Install Node ${wanted} or newer; \`npm run\` brings its own.`,
      );
}
