import { PRODUCT_ERRORS } from '#contracts/product/index.ts';

export type ProductErrorName = keyof typeof PRODUCT_ERRORS;

export interface RefusalOptions {
  /** What to put for the `{…}` of the wording. */
  values?: Readonly<Record<string, string | number>>;
  /** The query parameter that is at fault: the body names it, as bodies of validation do. */
  parameter?: string;
  headers?: Readonly<Record<string, string>>;
  /** @default the status of the error */
  status?: number;
}

/** Ends the work on a request with one of the interface's error bodies. */
export class ProductRefusal extends Error {
  override readonly name = 'ProductRefusal';
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ProductErrorName, { values = {}, parameter, headers = {}, status }: RefusalOptions = {}) {
    const { detail, status: usual } = PRODUCT_ERRORS[error];
    const message = detail.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key]));
    super(message);
    this.status = status ?? usual;
    this.body = parameter === undefined ? { detail: message } : { [parameter]: [message] };
    this.headers = headers;
  }
}
