// Types of the packages in `.config/audit`, as far as tests use them. Types don't depend on their installation.

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

declare module '@adobe/structured-data-validator' {
  interface Issue {
    severity: 'ERROR' | 'WARNING';
    issueMessage: string;
    /** Type of the node with the issue, or of its parent. */
    rootType: string;
    /** Path to the node. */
    path: object[];
  }
  export default class Validator {
    /** @param found nodes of a page by type */
    validate(found: { jsonld: Record<string, object[]> }): Promise<Issue[]>;
  }
}

declare module '@ruby/wasm-wasi/dist/browser' {
  interface RbValue {
    call(method: string, ...args: RbValue[]): RbValue;
    toString(): string;
  }
  interface RubyVM {
    eval(code: string): RbValue;
    wrap(value: unknown): RbValue;
  }
  export function DefaultRubyVM(
    module: WebAssembly.Module,
    options: { consolePrint: boolean },
  ): Promise<{ vm: RubyVM }>;
}

declare module 'bwip-js' {
  interface Options {
    bcid: string;
    text: string;
  }
  /** Widths of bars and spaces. */
  interface Symbol {
    sbs?: number[];
  }
  const bwip: { raw(options: Options): Symbol[] };
  export default bwip;
}

declare module 'chrome-launcher' {
  export interface LaunchedChrome {
    port: number;
    kill(): void;
  }
  export function launch(options: { chromePath: string; chromeFlags: string[] }): Promise<LaunchedChrome>;
}

declare module 'html-validate' {
  interface Message {
    ruleId: string;
    message: string;
    line: number;
    column: number;
  }
  export class HtmlValidate {
    constructor(config: { extends: string[]; rules: Readonly<Record<string, 'off' | 'error'>> });
    validateString(markup: string): Promise<{ results: { messages: Message[] }[] }>;
  }
}

declare module 'lighthouse' {
  interface Flags {
    port: number;
    onlyCategories: string[];
    logLevel: 'error';
    disableFullPageScreenshot: boolean;
    pauseAfterFcpMs: number;
    pauseAfterLoadMs: number;
    networkQuietThresholdMs: number;
    cpuQuietThresholdMs: number;
  }
  export interface RunnerResult {
    lhr: {
      categories: Record<string, { score: number | null }>;
      audits: Record<string, { score: number | null; displayValue?: string }>;
    };
  }
  export default function lighthouse(url: string, flags: Flags): Promise<RunnerResult | undefined>;
}

declare module 'linkinator' {
  interface Options {
    path: string[];
    recurse: boolean;
    concurrency: number;
    linksToSkip(link: string): Promise<boolean>;
  }
  interface LinkResult {
    url: string;
    state: 'OK' | 'BROKEN' | 'SKIPPED';
    status?: number;
    parent?: string;
  }
  export class LinkChecker {
    check(options: Options): Promise<{ links: LinkResult[] }>;
  }
}

declare module 'drizzle-kit/api' {
  interface Snapshot {
    id: string;
  }
  export function generateDrizzleJson(tables: object, previousId?: string): Snapshot;
  export function generateMigration(from: Snapshot, to: Snapshot): Promise<string[]>;
}
