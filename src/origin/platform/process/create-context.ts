import { trimTrailing } from '#contracts/index.ts';
import { join } from 'node:path';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import type { OriginFiles } from '#origin/platform/files/file-store.ts';
import { s3Files, type Bucket } from '#origin/platform/files/s3-files.ts';
import {
  PRODUCT_INTERFACE_DEFAULTS,
  type OriginContext,
  type OriginSettings,
} from '#origin/platform/context/origin-context.ts';
import { registerAll, type Registration } from '#origin/platform/registry/content-kind.ts';

type Parts = Pick<OriginContext, 'store' | 'key' | 'publicUrl' | 'trustedProxies' | 'hasReceivers'>;

interface ContextOptions extends OriginSettings, Parts {
  /** Registrations of namespaces, in addition to those of every site. */
  registrations: readonly Registration[];
  /** Contains the folder `files` for files of products and of the publishing site, unless a bucket is given. */
  dataFolder: string;
  bucket?: Bucket | undefined;
  /** @default no log */
  log?: OriginContext['log'];
}

/** Creates the context of an origin and applies defaults. */
export function createContext(options: ContextOptions): OriginContext {
  const filesFolder = join(options.dataFolder, 'files');
  return {
    ...registerAll(options.registrations),
    store: options.store,
    key: options.key,
    publicUrl: trimTrailing(options.publicUrl, '/'),
    restRoot: options.restRoot ?? 'rest',
    namespaces: options.namespaces ?? {},
    trustedProxies: options.trustedProxies,
    jsonp: options.jsonp,
    hasReceivers: options.hasReceivers,
    languageRules: options.languageRules,
    brand: options.brand,
    filesFolder,
    files: originFiles(filesFolder, options.bucket),
    product: { ...PRODUCT_INTERFACE_DEFAULTS, ...options.product },
    log: options.log ?? (() => undefined),
  };
}

/** Opens the file stores of an origin, in a bucket if one is given, else in a local folder. */
export function originFiles(filesFolder: string, bucket?: Bucket): OriginFiles {
  const open = (name: string) => (bucket ? s3Files(bucket, name) : diskFiles(join(filesFolder, name)));
  return { media: open('media'), uploads: open('uploads') };
}
