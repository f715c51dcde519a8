/** The package comes without types; this much of it is used in tests. */
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
