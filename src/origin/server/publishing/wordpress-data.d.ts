/** The packages' own types know part of what they do; this much of it is used in tests. */
declare module '@wordpress/core-data' {
  export const store: unique symbol;
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
