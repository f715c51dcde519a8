/** Which part of a list an answer is. */
export interface Paging {
  page: number;
  perPage: number;
}

/** What a handler answers; turning it into HTTP is the transport's matter. */
export interface Answer {
  status: number;
  body: unknown;
  /** Lists: rows that match, on all pages, and which page this is. */
  total?: number;
  paging?: Paging;
  /** Items of content: the address of the page a person would open. */
  alternate?: string;
  /** Whether `_links` stay, whatever fields were asked for. */
  keepsLinks?: true;
  /** New rows: their own address. */
  location?: string;
}

/** One thing. */
export function item(body: unknown, about: { alternate?: string } = {}): Answer {
  return { status: 200, body, ...about };
}

/** One page of a list. `total` counts every row that matches, shown or not. */
export function collection(rows: readonly unknown[], total: number, paging: Paging): Answer {
  return { status: 200, body: rows, total, paging };
}

/** Something new, at `location`. */
export function created(body: unknown, location: string): Answer {
  return { status: 201, body, location };
}
