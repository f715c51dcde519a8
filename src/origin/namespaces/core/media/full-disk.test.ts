import { randomFillSync } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDisk } from '#files/testing/test-disk.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';

const disk = openTestDisk(4);
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite(disk ? { filesFolder: disk.folder } : {});
}, OPEN_TIMEOUT_MS);
afterAll(async () => {
  await site.close();
  disk?.remove();
});

const upload = () =>
  fetch(`${site.context.publicUrl}/rest/core/v2/media`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`administrator:${testPassword('administrator')}`).toString('base64')}`,
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="plans.zip"',
    },
    body: new Uint8Array(Buffer.concat([Buffer.from('PK\u0003\u0004'), randomFillSync(Buffer.alloc(1_000_000))])),
  });

test.runIf(disk)('an upload that the disk has no room for is refused in words, and nothing of it stays', async () => {
  const files = () =>
    readdirSync(disk?.folder ?? '', { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [entry.name] : [],
    );
  disk?.fill(300_000);
  const before = files();
  const refused = await upload();
  expect([refused.status, await refused.json()]).toEqual([
    507,
    expect.objectContaining({ code: 'insufficient_storage', message: expect.stringContaining('disk is full') }),
  ]);
  expect(site.context.logged.join('\n')).toMatch(/ENOSPC|no space left/);
  expect(files()).toEqual(before);
  expect((await site.fetch('/core/v2/media', { as: 'administrator' })).body).toEqual([]);
  disk?.empty();
  expect((await upload()).status).toBe(201);
});
