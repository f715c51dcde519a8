import { trimEndOf } from '#contracts/index.ts';
import { join } from 'node:path';
import type { NamespaceMap } from '#contracts/index.ts';
import { NO_PROXIES, type TrustedProxies } from '#origin/platform/context/client-address.ts';
import { originFiles, type Bucket } from '#origin/platform/files/index.ts';
import {
  PRODUCT_INTERFACE_DEFAULTS,
  type OriginContext,
  type ProductInterfaceOptions,
} from '#origin/platform/context/origin-context.ts';
import { registerAll, type Registration } from '#origin/platform/registry/permissions.ts';
import type { Store } from '#origin/platform/store/index.ts';

export interface ContextParts {
  /** What namespaces register. @default what every site has */
  registrations?: readonly Registration[] | undefined;
  store: Store;
  key: Uint8Array;
  /** Files of products and of the publishing site lie in its folder `files`, unless there is a bucket. */
  dataFolder: string;
  bucket?: Bucket | undefined;
  publicUrl: string;
  /** @default 'rest' */
  restRoot?: string | undefined;
  /** @default neutral names */
  namespaces?: NamespaceMap | undefined;
  /** Whose word counts on where a request comes from. @default nobody's */
  trustedProxies?: TrustedProxies | undefined;
  /** @default false */
  jsonp?: boolean | undefined;
  product?: Partial<ProductInterfaceOptions> | undefined;
  /** @default false */
  hasReceivers?: boolean | undefined;
  log?: (line: string) => void;
}

/** The context of an origin, with what was not said filled in. */
export function createContext(parts: ContextParts): OriginContext {
  const filesFolder = join(parts.dataFolder, 'files');
  return {
    ...registerAll(parts.registrations ?? []),
    store: parts.store,
    key: parts.key,
    publicUrl: trimEndOf(parts.publicUrl, '/'),
    restRoot: parts.restRoot ?? 'rest',
    namespaces: parts.namespaces ?? {},
    trustedProxies: parts.trustedProxies ?? NO_PROXIES,
    jsonp: parts.jsonp ?? false,
    hasReceivers: parts.hasReceivers ?? false,
    filesFolder,
    files: originFiles(filesFolder, parts.bucket),
    product: { ...PRODUCT_INTERFACE_DEFAULTS, ...parts.product },
    log: parts.log ?? (() => undefined),
  };
}
