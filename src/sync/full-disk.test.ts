import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDisk } from '#files/testing/test-disk.ts';
import { createProduct, dumpSnapshot } from '#snapshot/testing/fill-snapshot.ts';
import { GTINS, startTestUpstream, type TestUpstream } from './testing/test-upstream.ts';

const disk = openTestDisk(8);
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startTestUpstream();
  const home = disk?.folder ?? upstream.settings.home;
  upstream.settings = { ...upstream.settings, home, snapshotPath: path.join(home, 'snapshot.sqlite') };
});
afterAll(async () => {
  await upstream.close();
  disk?.remove();
});

it.runIf(disk)('a sync on a full disk says which one and what to do, and leaves what was synced before', async () => {
  await upstream.sync();
  const before = upstream.read(dumpSnapshot);
  const description = 'x'.repeat(400_000);
  for (const gtin of GTINS) {
    upstream.products.set(`${gtin}/de-de`, createProduct({ gtin, intro: description, application: description }));
  }
  // From nothing at all to what is enough for a part of the run.
  for (const room of [0, 100_000, 400_000, 1_000_000]) {
    disk?.fill(room);
    await expect(upstream.sync(), `${room} bytes of room`).rejects.toMatchObject({
      code: 'SNAPSHOT_UNWRITABLE',
      message: expect.stringContaining(`The folder ${disk?.folder} can't be written: the disk `),
      hint: expect.stringMatching(/SORTIMENT_HOME.*The previous snapshot is unchanged\./),
    });
    expect(upstream.read(dumpSnapshot)).toEqual(before);
    disk?.empty();
  }
  const report = await upstream.sync();
  expect(report.changed).toBe(true);
  expect(readFileSync(report.reportFile ?? '', 'utf8')).toContain('</html>');
});
