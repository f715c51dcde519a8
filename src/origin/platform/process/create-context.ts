import { trimTrailing, type NamespaceMap } from '#contracts/index.ts';
import { join } from 'node:path';
import { NO_PROXIES, type TrustedProxies } from '#origin/platform/context/client-address.ts';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import type { OriginFiles } from '#origin/platform/files/file-store.ts';
import { s3Files, type Bucket } from '#origin/platform/files/s3-files.ts';
import {
  PRODUCT_INTERFACE_DEFAULTS,
  type LanguageRules,
  type OriginBrand,
  type OriginContext,
  type ProductInterfaceOptions,
} from '#origin/platform/context/origin-context.ts';
import { registerAll, type Registration } from '#origin/platform/registry/content-kind.ts';
import type { Store } from '#origin/platform/store/store.ts';

export interface ContextOptions {
  /** Registrations of namespaces. @default those of every site */
  registrations?: readonly Registration[] | undefined;
  store: Store;
  key: Uint8Array;
  /** Contains the folder `files` for files of products and of the publishing site, unless a bucket is given. */
  dataFolder: string;
  bucket?: Bucket | undefined;
  publicUrl: string;
  /** @default 'rest' */
  restRoot?: string | undefined;
  /** @default neutral names */
  namespaces?: NamespaceMap | undefined;
  /** Proxies whose forwarding headers are trusted. @default none */
  trustedProxies?: TrustedProxies | undefined;
  /** @default false */
  jsonp?: boolean | undefined;
  product?: Partial<ProductInterfaceOptions> | undefined;
  /** @default false */
  hasReceivers?: boolean | undefined;
  /** @default unknown */
  languageRules?: LanguageRules | undefined;
  /** @default that of Sortiment */
  brand?: OriginBrand | undefined;
  log?: (line: string) => void;
}

/** Creates the context of an origin and applies defaults. */
export function createContext(options: ContextOptions): OriginContext {
  const filesFolder = join(options.dataFolder, 'files');
  return {
    ...registerAll(options.registrations ?? []),
    store: options.store,
    key: options.key,
    publicUrl: trimTrailing(options.publicUrl, '/'),
    restRoot: options.restRoot ?? 'rest',
    namespaces: options.namespaces ?? {},
    trustedProxies: options.trustedProxies ?? NO_PROXIES,
    jsonp: options.jsonp ?? false,
    hasReceivers: options.hasReceivers ?? false,
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
