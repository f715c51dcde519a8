import type { StoredWarning } from '../read-value.ts';
import type { RouteDeclaration } from '../route.ts';

/**
 * What a sync reads of a publishing site, in the order of reading: what others refer to comes first. Settings name
 * them too, and every command reads those: the schemas of the kinds take longer to load than all else of them.
 */
export const SYNCED_NAMES = [
  'media',
  'category',
  'tag',
  'author',
  'post',
  'page',
  'podcast',
  'show',
  'player',
  'episode',
  'head',
] as const;

/**
 * One kind of content of the publishing site, declared once: where a sync reads it, how it finds out what has changed,
 * and what the snapshot keeps of a row. To add one, write its declaration, and name it above, in `synced-records.ts` and
 * in `index.ts`.
 */
export interface SyncedKind<R extends SyncedRecord = SyncedRecord> {
  /** Its name in the snapshot, in reports and in the filters of hooks. */
  kind: string;
  /** What reports call one of them. */
  noun: string;
  /** Its rows; paged, ordered by id and filtered by `include`, as lists of the publishing interface are. */
  list: RouteDeclaration;
  /** Further parameters of the list. */
  query?: Readonly<Record<string, unknown>>;
  /** Where the list answers with something else than a list: the rows in it, all at once. */
  rows?(body: unknown): readonly { id: number }[];
  /** Where rows of the list say too little: the route that answers for one, whose only parameter is `id`. */
  item?: RouteDeclaration;
  /** Further routes that answer for one; `project` gets their answers in the row, by these names. */
  also?: Readonly<Record<string, RouteDeclaration>>;
  /** Where each row has a page: `project` gets it in the row as `page`, unless the site doesn't show its pages. */
  page?: {
    /** Paged and filtered as other lists; its rows say in `modified_gmt` when they last changed. */
    list: RouteDeclaration;
    /** Id of the page of a row as `item` answers it. */
    idInRow(row: unknown): number;
    idInRecord(record: R): number;
  };
  /**
   * `by date`: rows have an `id` and say in `modified_gmt` when they last changed. A run asks for what changed, with an
   * overlap, and then for the ids of all. `by digest`: all rows are read in every run and compared. `by page`: the list
   * is read in every run, and one by one what the list has otherwise than before or whose page has changed. `by subject`:
   * rows say something of the records of other kinds, and go with them; they are read last.
   */
  changes: 'by date' | 'by digest' | 'by page' | 'by subject';
  /** Of kinds that change by page: whether the list still has a row as it was when the record was made of it. */
  isListedAs?(record: R, row: unknown, texts: TextTools): boolean;
  /**
   * Field of the record -> field of the row, for fields that change with other rows while the date stays, such as the
   * tags of a post when one of them is deleted. Kinds that change by date compare them for all rows in their sweep.
   */
  sweptFields?: Readonly<Record<string, string>>;
  /** Kinds whose changes show in these records. Kinds that change by page are then read whole. */
  dependsOn?: readonly string[];
  /** Sites may keep this list to themselves. */
  optional?: boolean;
  /** Sites that have the namespace need not have the route. */
  mayLack?: boolean;
  /**
   * Fields of rows in `list` that a record can do without -> the member of the record that each becomes. An invalid value
   * is read as null.
   */
  optionalFields?: Readonly<Record<string, string>>;
  /**
   * Builds the record of a row.
   * @param row As the contract of `list`, or of `item`, reads it.
   * @returns Undefined for rows that aren't public.
   */
  project(row: unknown, texts: TextTools, warn: WarnAboutRow): R | undefined;
  /**
   * The files that a record names.
   * @param filesIn Finds those in sanitised HTML.
   * @param isOwn Whether an address is one that files may be fetched from.
   */
  references?(
    record: R,
    filesIn: (html: string) => FileReference[],
    isOwn: (address: string) => boolean,
  ): FileReference[];
}

/** The routes that a kind is read by, its pages aside: a site may have a kind without showing its pages. */
export function routesOf({ list, item = list, also = {} }: SyncedKind): RouteDeclaration[] {
  return [list, item, ...Object.values(also)];
}

/** What the snapshot keeps of a row, by its id. */
export interface SyncedRecord {
  /** A text only where rows are about the records of other kinds. */
  id: number | string;
  /** Last part of its address. Former ones are kept, with the ids above: what has moved is led on from there. */
  slug?: string;
  /** Id of the record of the same kind above. */
  parent?: number | undefined;
  /** ISO, UTC. Records of kinds that change by date have it. */
  modified?: string;
  /** Repairs and omissions in the row; reported by every run. */
  warnings?: StoredWarning[];
}

/**
 * Reports a part of a row that was left out of its record.
 * @param field Dotted path of the part, such as `chapters[2].start`.
 * @param problem Continues the sentence "<field> …".
 * @param value What the row has there.
 */
export type WarnAboutRow = (field: string, problem: string, value?: unknown) => void;

export interface FileReference {
  address: string;
  /** A kind of asset, which says how the file is checked and kept. */
  kind: string;
  /** Address to fetch the file from, if it differs. */
  fetchFrom?: string;
}

/** What texts of the site become; the sync knows how. */
export interface TextTools {
  /** The text of HTML on one line. */
  plain(html: string): string;
  /**
   * What is allowed of HTML, with absolute addresses.
   * @param link What relative addresses are resolved against.
   * @param options.field Name of the field in warnings. Default `content`.
   */
  html(html: string, link: string, options?: { idPrefix?: string; field?: string }): string;
  /** A date and time as ISO in UTC; without an offset it is one of the site's time zone. */
  time(text: string): string;
}

/** Times of the interface that are in UTC carry no zone. */
export function toUtc(time: string): string {
  return `${time}Z`;
}
