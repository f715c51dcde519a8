import type { NamespaceMap } from '#contracts/index.ts';
import type { TrustedProxies } from './client-address.ts';
import type { SiteRegistry } from '#origin/platform/registry/content-kind.ts';
import type { OriginFiles } from '#origin/platform/files/file-store.ts';
import type { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import type { Store } from '#origin/platform/store/store.ts';
import { setImmediate } from 'node:timers/promises';

/** Options for the places where servers of the product interface differ. The defaults suit production. */
export interface ProductInterfaceOptions {
  /** JSON type of decimals. @default 'number' */
  decimals: 'number' | 'string';
  /**
   * Response to an unknown `?language=`: the record of the main language, 400, or 404.
   *
   * @default 'fallback'
   */
  unknownLanguage: 'fallback' | 'error' | 'not-found';
  /** Maximum number of requests per token and minute; 0 for no limit. @default 6000 */
  requestsPerMinute: number;
  /** True to send ETags and handle If-None-Match. @default true */
  validators: boolean;
  /** True to serve the list and the NDJSON export. @default true */
  additions: boolean;
  /**
   * `session-first` responds 403 instead of 401, like servers that require a session before a token. @default
   * 'token-first'
   */
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

/** Rules for the language of a post or page, as the catalogue applies them. The first match wins. */
export interface LanguageRules {
  rules: readonly (
    | { by: 'category' | 'tag'; terms: Readonly<Record<string, string>> }
    | { by: 'slug-prefix'; prefixes: Readonly<Record<string, string>> }
  )[];
  /** Language of everything else. */
  main: string;
}

/** Settings of an origin that have a default. */
export interface OriginSettings {
  /** Path segment of the publishing REST root. @default 'rest' */
  restRoot?: string | undefined;
  /** @default neutral names */
  namespaces?: NamespaceMap | undefined;
  /** True to support JSONP (`_jsonp=<function>`) for pages without CORS. @default false */
  jsonp?: boolean | undefined;
  /** Languages of the catalogue, which editors' lists show and filter by. @default unknown */
  languageRules?: LanguageRules | undefined;
  /** Look of the catalogue, for the HTML pages. @default that of Sortiment */
  brand?: OriginBrand | undefined;
  product?: Partial<ProductInterfaceOptions> | undefined;
}

/** Dependencies of every module of the origin. */
export interface OriginContext extends SiteRegistry, OriginSettings {
  store: Store;
  /** 32 bytes, to seal tokens and to sign sessions. */
  key: Uint8Array;
  /** Address of the site in links, without a trailing slash. */
  publicUrl: string;
  restRoot: string;
  namespaces: NamespaceMap;
  /** Proxies whose forwarding headers are trusted. @default none */
  trustedProxies?: TrustedProxies | undefined;
  /** True if webhook receivers are configured. @default false */
  hasReceivers?: boolean | undefined;
  /** Local folder with `media/` and `uploads/`, unless they are in a bucket. */
  filesFolder: string;
  /** Files of products and of the publishing site, both served unchanged. */
  files: OriginFiles;
  product: ProductInterfaceOptions;
  /** Fetches addresses of other hosts. @default `guardedFetch` */
  readRemote?: typeof guardedFetch;
  /** Logs one line: requests and bugs, never secrets. */
  log(line: string): void;
}

/** Caches loaded values per request, so that authorization, handler and presenter load them once. */
export class Memo {
  readonly #loaded = new Map<string, Promise<unknown>>();
  readonly #batches = new Map<string, { ids: Set<number>; rows: Promise<ReadonlyMap<number, unknown>> }>();

  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.#loaded.get(key);
    if (cached) return cached as Promise<T>;
    const loading = load();
    this.#loaded.set(key, loading);
    return loading;
  }

  /** Evicts a value that a write has changed. */
  forget(key: string): void {
    this.#loaded.delete(key);
  }

  /**
   * Loads rows by ID. Calls within the same turn of the event loop share one statement.
   *
   * @param key identifies everything that determines the result, except the IDs
   * @returns the rows found, possibly with those of other calls
   */
  gather<T>(
    key: string,
    ids: readonly number[],
    load: (ids: number[]) => Promise<ReadonlyMap<number, T>>,
  ): Promise<ReadonlyMap<number, T>> {
    const batch = this.#batches.get(key);
    if (batch) {
      for (const id of ids) batch.ids.add(id);
      return batch.rows as Promise<ReadonlyMap<number, T>>;
    }
    const pendingIds = new Set(ids);
    const loading = setImmediate().then(() => {
      this.#batches.delete(key);
      return load([...pendingIds]);
    });
    this.#batches.set(key, { ids: pendingIds, rows: loading });
    return loading;
  }
}

/** Name, colour and logo of a catalogue. */
export interface OriginBrand {
  name: string;
  accent: { light: string; dark: string };
  /** Absolute paths of the logos for the colour schemes. */
  logo?: { light: string; dark: string } | undefined;
  /** True if the name is shown next to the logo. */
  showsName: boolean;
}
