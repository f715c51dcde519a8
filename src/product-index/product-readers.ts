import type { Settings } from '#config/index.ts';
import {
  openEmptyProductIndex,
  openProductIndex,
  updateProductIndex,
  updateProductIndexFrom,
  type ProductIndexChanges,
  type OpenProductIndex,
} from './index.ts';
import { readFullProduct } from './read-full-product.ts';
import type { RenderContext } from '#catalogue/port/render-context.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { readDigest } from '#snapshot/read-digest.ts';
import { collectGarbage } from '#workers/worker-thread.ts';
import { buildPaths } from '#config/build-paths.ts';

type Reading = Required<Pick<RenderContext, 'productIndex' | 'readProduct'>>;

/** What pages read products from. */
export interface ProductReaders extends Reading {
  close(): void;
}

/**
 * For a build: brings the product index up to date, and keeps it and the snapshot open.
 * @param lent The snapshot, where it is open already; it stays so.
 */
export function openUpdatedReaders(
  settings: Settings,
  lent?: Snapshot,
): ProductReaders & { changes: ProductIndexChanges } {
  const { snapshotPath, options } = settings;
  const { productIndexFile } = buildPaths(settings);
  const changes = lent
    ? updateProductIndexFrom(lent, productIndexFile, options, collectGarbage)
    : updateProductIndex(productIndexFile, snapshotPath, options, collectGarbage);
  return { ...openReaders(settings, lent), changes };
}

/** For a build that renders nothing. */
export function openEmptyReaders(): ProductReaders {
  const productIndex = openEmptyProductIndex();
  return {
    productIndex: () => productIndex,
    readProduct: ({ gtin }) => {
      throw new Error(`There is no ${gtin} in an empty catalogue.`);
    },
    close: () => productIndex.close(),
  };
}

/** For a thread of a build, whose product index is up to date. @param lent As for `openUpdatedReaders`. */
export function openReaders(settings: Settings, lent?: Snapshot): ProductReaders {
  const { snapshotPath, options } = settings;
  let open: { productIndex: OpenProductIndex; snapshot: Snapshot } | undefined;
  const readers = () => {
    open ??= {
      productIndex: openProductIndex(buildPaths(settings).productIndexFile),
      snapshot: lent ?? openSnapshot(snapshotPath, { readOnly: true }),
    };
    return open;
  };
  return {
    productIndex: () => readers().productIndex,
    readProduct: (listed) => readFullProduct(readers().snapshot, options, listed),
    close: () => {
      open?.productIndex.close();
      if (!lent) open?.snapshot.close();
      open = undefined;
    },
  };
}

/** For a dev server, under which the snapshot may be replaced at any time. */
export function openDevReaders(settings: Settings): ProductReaders {
  const { productIndexFile } = buildPaths(settings);
  const { snapshotPath, options } = settings;
  let current: { digest: string | undefined; productIndex: OpenProductIndex } | undefined;
  return {
    productIndex: () => {
      const digest = readDigest(snapshotPath);
      if (!current || current.digest !== digest) {
        current?.productIndex.close();
        updateProductIndex(productIndexFile, snapshotPath, options);
        current = { digest, productIndex: openProductIndex(productIndexFile) };
      }
      return current.productIndex;
    },
    readProduct: (listed) => {
      const snapshot = openSnapshot(snapshotPath, { readOnly: true });
      try {
        return readFullProduct(snapshot, options, listed);
      } finally {
        snapshot.close();
      }
    },
    close: () => {
      current?.productIndex.close();
      current = undefined;
    },
  };
}
