import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Role } from '#contracts/core/user-routes.ts';
import type { PictureSizes } from '#contracts/thumbnails/routes.ts';
import { openTestSite, testPassword } from '#origin/testing/open-test-site.ts';
import type { TestContextOverrides } from '#origin/testing/test-context.ts';

/** Response body of these routes, including errors. */
export type Body = PictureSizes & { id: number; code: string; data: Record<string, unknown> };

export type ImageSite = Awaited<ReturnType<typeof openImageSite>>;

/** Opens a test site with helpers for image routes. */
export async function openImageSite(overrides: TestContextOverrides = {}) {
  const site = await openTestSite(overrides);
  /** Resolves a path of the uploads folder to a file path. */
  const onDisk = (path: string) => join(site.context.filesFolder, 'uploads', path);
  /** Sends a request to a path below the REST root. */
  const send = async (method: string, path: string, body?: unknown, as: Role = 'administrator') => {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await site.fetch(`/${path}`, { method, as, ...json });
    return { ...response, body: response.body as Body };
  };
  return {
    ...site,
    send,
    onDisk,
    /** @returns the ID and the folder of the image, relative to the uploads folder */
    async upload(name: string, bytes: Uint8Array) {
      const { publicUrl, restRoot } = site.context;
      const response = await fetch(`${publicUrl}/${restRoot}/core/v2/media`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`administrator:${testPassword('administrator')}`).toString('base64')}`,
          'content-disposition': `attachment; filename="${name}"`,
        },
        body: new Uint8Array(bytes),
      });
      const { id, source_url } = (await response.json()) as { id: number; source_url: string };
      if (response.status !== 201) throw new Error(`Uploading ${name} failed with status ${response.status}.`);
      return { id, folder: dirname(new URL(source_url).pathname.replace('/uploads/', '')) };
    },
    /** Inserts a media row like an import, optionally with a file. @returns its ID */
    async place(file: string, about: { bytes?: Uint8Array; mimeType?: string; details?: object } = {}) {
      const { bytes, mimeType = 'image/jpeg', details = { width: 400, height: 200 } } = about;
      await mkdir(dirname(onDisk(file)), { recursive: true });
      if (bytes) await writeFile(onDisk(file), bytes);
      const mediaDetails = details as Record<string, unknown>;
      return site.addContent({ type: 'attachment', status: 'inherit', file, mimeType, mediaDetails });
    },
  };
}

/** Creates an image without repeating areas. */
export async function createTestImage(width: number, height: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> {
  const stripes = Buffer.alloc(width * height * 3, 0).map((_, i) => (i * 7 + Math.floor(i / width)) % 251);
  return sharp(stripes, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}
