import { toImageAsset } from '#product-index/assets.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { ProjectedEntry } from '#product-index/project-products.ts';

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
