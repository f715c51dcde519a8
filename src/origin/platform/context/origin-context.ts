import type { NamespaceMap } from '#contracts/index.ts';
import type { TrustedProxies } from './client-address.ts';
import type { SiteRegistry } from '#origin/platform/registry/permissions.ts';
import type { OriginFiles } from '#origin/platform/files/index.ts';
import type { guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import type { Store } from '#origin/platform/store/store.ts';

/** How the product interface behaves where servers of its kind differ; the defaults suit production. */
export interface ProductInterfaceOptions {
  /** How decimals travel. @default 'number' */
  decimals: 'number' | 'string';
  /**
   * What an unknown `?language=` gets: the main language's record (whose `language` says so), a 400, or a 404.
   * @default 'fallback'
   */
  unknownLanguage: 'fallback' | 'error' | 'not-found';
  /** Requests a token may make in a minute; 0 is no limit. @default 6000 */
  requestsPerMinute: number;
  /** Whether ETags are sent and If-None-Match is answered. @default true */
  validators: boolean;
  /** Whether the list and the NDJSON export exist. @default true */
  additions: boolean;
  /** `session-first` answers 403 instead of 401, as servers do that ask for a session before a token. @default 'token-first' */
  authentication: 'token-first' | 'session-first';
}

export const PRODUCT_INTERFACE_DEFAULTS: Readonly<ProductInterfaceOptions> = {
  decimals: 'number',
  unknownLanguage: 'fallback',
  requestsPerMinute: 6000,
  validators: true,
  additions: true,
  authentication: 'token-first',
};

/** What every module of the origin needs. */
export interface OriginContext extends SiteRegistry {
  store: Store;
  /** 32 bytes: seals tokens, signs sessions. */
  key: Uint8Array;
  /** The site's address in links, without a slash at the end. */
  publicUrl: string;
  /** Path segment of the publishing REST root. @default 'rest' */
  restRoot: string;
  namespaces: NamespaceMap;
  /** Whose word counts on where a request comes from. @default nobody's */
  trustedProxies?: TrustedProxies;
  /** Whether `_jsonp=<function>` gets an answer as a script, for pages without CORS. @default false */
  jsonp?: boolean;
  /** Whether changes are sent to webhook receivers. @default false */
  hasReceivers?: boolean;
  /** A folder of this machine: holds `media/` and `uploads/`, unless they are in a bucket. */
  filesFolder: string;
  /** Files of products and of the publishing site, both served as they are. */
  files: OriginFiles;
  product: ProductInterfaceOptions;
  /** How addresses of others are read. @default `guardedFetch` */
  readRemote?: typeof guardedFetch;
  /** One line of text for a person; request logs and faults. Never a secret. */
  log(line: string): void;
}
