/** Types of separately installed libraries, as far as tests use them. */
declare module '@wordpress/api-fetch' {
  export interface Options {
    path?: string;
    method?: string;
    data?: unknown;
    headers?: Record<string, string>;
  }
  type Middleware = (options: Options, next: (options: Options) => Promise<unknown>) => unknown;
  interface ApiFetch {
    <T>(options: Options): Promise<T>;
    use(middleware: Middleware): void;
    createRootURLMiddleware(root: string): Middleware;
  }
  const apiFetch: ApiFetch;
  export default apiFetch;
}

declare module '@wordpress/core-data' {
  export const store: symbol;
  export function __experimentalFetchLinkSuggestions(words: string): Promise<unknown[]>;
}

declare module '@wordpress/data' {
  type Saved = Record<string, unknown> & { id: number };
  type Kind = 'postType' | 'taxonomy' | 'root';
  interface SaveOptions {
    throwOnError?: boolean;
    isAutosave?: boolean;
  }
  interface Saving {
    saveEntityRecord(kind: Kind, name: string, record: object, options?: SaveOptions): Promise<Saved>;
  }
  interface Actions extends Saving {
    editEntityRecord(kind: Kind, name: string, id: number, edits: object): void;
    saveEditedEntityRecord(kind: Kind, name: string, id: number): Promise<Saved>;
    deleteEntityRecord(kind: Kind, name: string, id: number, query: object, options: SaveOptions): Promise<unknown>;
    __experimentalBatch(requests: readonly ((api: Saving) => Promise<Saved>)[]): Promise<Saved[]>;
    invalidateResolutionForStore(): Promise<void>;
  }
  interface Resolvers {
    getCurrentUser(): Promise<unknown>;
    getCurrentTheme(): Promise<unknown>;
    getEntityRecord(kind: Kind, name: string, id?: number): Promise<unknown>;
    getEntityRecords(kind: Kind, name: string, query?: object): Promise<unknown[]>;
    getAutosaves(type: string, id: number): Promise<unknown[]>;
    getNavigationFallbackId(): Promise<number>;
    getBlockPatterns(): Promise<unknown[]>;
    getBlockPatternCategories(): Promise<unknown[]>;
    canUser(action: string, resource: string, id?: number): Promise<boolean>;
    canUserEditEntityRecord(kind: Kind, name: string, id: number): Promise<boolean>;
  }
  type Store = typeof import('@wordpress/core-data').store;
  export function dispatch(store: Store): Actions;
  export function resolveSelect(store: Store): Resolvers;
}

declare module 'wpapi' {
  interface Listed extends Array<unknown> {
    _paging: { total: number; totalPages: number; next: WPRequest };
  }
  interface WPRequest extends PromiseLike<unknown> {
    id(id: number): WPRequest;
    slug(slug: string): WPRequest;
    categories(id: number): WPRequest;
    perPage(count: number): WPRequest;
    embed(): WPRequest;
    revisions(): WPRequest;
    create(body: object): Promise<unknown>;
    update(body: object): Promise<unknown>;
    delete(query?: object): Promise<unknown>;
    get(): Promise<Listed>;
  }
  export default class WPAPI {
    constructor(options: { endpoint: string; username?: string; password?: string; auth?: boolean });
    static discover(url: string): Promise<WPAPI>;
    posts(): WPRequest;
    categories(): WPRequest;
  }
}

/** Feed parsers of podcast apps and directories. */
interface ForeignEnclosure {
  url: string;
  type: string;
  length: number | string;
}

declare module 'rss-parser' {
  interface Item {
    title: string;
    guid: string;
    enclosure: ForeignEnclosure;
    transcripts?: { $: { url: string; type: string } }[];
    chapters?: { 'psc:chapter': { $: { start: string; title: string } }[] };
  }
  export default class Parser {
    constructor(options: object);
    parseString(xml: string): Promise<{ title: string; items: Item[] }>;
  }
}

declare module 'podparse' {
  interface Episode {
    title: string;
    guid: string;
    enclosure: ForeignEnclosure;
    chapters?: { start: string; title: string; href?: string }[];
  }
  export default function getPodcastFromFeed(xml: string): { meta: { title: string }; episodes: Episode[] };
}

declare module 'podcast-partytime' {
  interface Item {
    title: string;
    guid: string;
    enclosure: ForeignEnclosure;
    podcastTranscripts?: { url: string; type: string; language?: string }[];
    podcastChapters?: { url: string; type: string };
    podcastSoundbites?: { duration: number; startTime: number; title?: string }[];
  }
  interface Feed {
    title: string;
    guid?: string;
    /** Valid elements of the podcast namespace, by phase of the namespace. */
    pc20support: Record<number, string[]>;
    items: Item[];
  }
  export function parseFeed(xml: string): Feed | null;
}
