import { toImageAsset } from '#catalogue/read-model/assets.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import type { ProjectedEntry } from '#catalogue/read-model/project-products.ts';

/** Media of the publishing site, with the fetched image if there is one. */
export function* projectMedia({ snapshot }: LoaderSource): Generator<ProjectedEntry> {
  for (const { id, title, url, mimeType, alt, caption } of snapshot.records('media')) {
    yield {
      id: String(id),
      data: {
        title,
        url,
        mimeType,
        bytes: snapshot.asset(url, 'image')?.bytes,
        image: toImageAsset(snapshot, url, { alt, caption }),
      },
    };
  }
}
