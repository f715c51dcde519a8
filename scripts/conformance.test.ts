import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './cli/load-settings.ts';

const FOLDER = path.resolve(ROOT, process.env['SORTIMENT_CONFORMANCE'] ?? '../shared/conformance');
/** Each group starts and fills its own origin: all of them take minutes. */
const GROUPS = process.env['SORTIMENT_SOAK'] ? [] : ['--groups', 'posts_update,oembed', '--min', '0.98'];

// The recordings are not part of the project; the test runs if they exist.
describe.runIf(existsSync(FOLDER))('the recorded answers of a live server', () => {
  it('are those of the origin, but for the ones that are explained', { timeout: 900_000 }, async () => {
    const child = spawn(process.execPath, [path.join(ROOT, 'scripts/conformance.ts'), ...GROUPS]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, output).toBe(0);
    expect(output).toMatch(/recorded answers matched/);
  });
});
