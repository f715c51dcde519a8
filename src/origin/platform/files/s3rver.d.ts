/** The package comes without types; this much of it is used in tests. */
declare module 's3rver' {
  interface KoaContext {
    method: string;
    path: string;
    req: import('node:http').IncomingMessage;
    status: number;
    body: unknown;
    get(header: string): string;
  }
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
    });
    /** What runs before the server itself, first to last. */
    middleware: ((context: KoaContext, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
