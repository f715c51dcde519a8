import type { StoredWarning } from '../parse-value.ts';
import type { RouteDeclaration } from '../route.ts';

/**
 * Kinds that a sync reads from a publishing site, in reading order: referenced kinds come first. They are separate from
 * the declarations, because every command loads the settings, and the schemas of the kinds load slowly.
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
 * Declaration of a kind of content of the publishing site: where a sync reads it, how it detects changes, and which
 * record it stores. To add a kind, write its declaration, and add it above and in `index.ts`.
 */
export interface SyncedKind<R extends SyncedRecord = SyncedRecord> {
  /** Name in the snapshot, in reports and in the filters of hooks. */
  kind: string;
  /** Noun for one record in reports. */
  noun: string;
  /**
   * Route of the rows: paged, ordered by id and filtered by `include`, like collections of the publishing interface.
   */
  list: RouteDeclaration;
  /** Additional parameters of `list`. */
  query?: Readonly<Record<string, unknown>>;
  /** Extracts the rows if the response is not a list. It contains all rows at once. */
  rows?(body: unknown): readonly { id: number }[];
  /** Route of a single row with more fields; `id` is its only parameter. */
  item?: RouteDeclaration;
  /** Further routes of a single row; `project` receives their responses in the row, under these names. */
  also?: Readonly<Record<string, RouteDeclaration>>;
  /** Pages of the rows; `project` receives the page as `page`, unless the site doesn't expose pages. */
  page?: {
    /** Paged and filtered like other lists; rows contain their last change as `modified_gmt`. */
    list: RouteDeclaration;
    /** Additional parameters of `list`. */
    query?: Readonly<Record<string, unknown>>;
    /** Returns the page id of a row from `item`. */
    idInRow(row: unknown): number;
    idInRecord(record: R): number;
  };
  /**
   * Detection of changes:
   * - `by date`: rows contain `id` and `modified_gmt`. A run requests changed rows, with an overlap, and then all ids.
   * - `by digest`: every run reads and compares all rows.
   * - `by page`: every run reads the list, and single rows whose list entry or page has changed.
   * - `by subject`: rows describe records of other kinds, and are read last and removed with them.
   */
  changes: 'by date' | 'by digest' | 'by page' | 'by subject';
  /** For kinds that change by page: true if the list entry still matches the record. */
  isListedAs?(record: R, row: unknown, texts: TextConverters): boolean;
  /**
   * Field of the record -> field of the row, for fields that change with other rows while the date stays, such as the
   * tags of a post after a tag is deleted. Kinds that change by date compare them for all rows in their sweep.
   */
  sweptFields?: Readonly<Record<string, string>>;
  /** Kinds that affect these records. After their changes, kinds that change by page are read completely. */
  dependsOn?: readonly string[];
  /** True if sites may restrict access to the list. */
  optional?: boolean;
  /** True if sites with the namespace may lack the route. */
  mayLack?: boolean;
  /** Optional fields of rows in `list` -> member of the record. An invalid value is parsed as null. */
  optionalFields?: Readonly<Record<string, string>>;
  /**
   * Creates the record of a row.
   * @param row Row as parsed by `list` or `item`.
   * @returns Undefined for rows that aren't public.
   */
  project(row: unknown, texts: TextConverters, warn: RowWarningReporter): R | undefined;
  /**
   * Lists the files of a record.
   * @param filesIn Finds files in sanitised HTML.
   * @param isOwn True if files may be fetched from a URL.
   */
  references?(
    record: R,
    filesIn: (html: string) => FileReference[],
    isOwn: (address: string) => boolean,
  ): FileReference[];
}

/** Lists the routes of a kind, except those of its pages: sites may hide their pages. */
export function listKindRoutes({ list, item = list, also = {} }: SyncedKind): RouteDeclaration[] {
  return [list, item, ...Object.values(also)];
}

/** A stored record, by its id. */
export interface SyncedRecord {
  /** A text only for rows that describe records of other kinds. */
  id: number | string;
  /** Last path segment of its URL. Former slugs are stored, with their parents, for redirects. */
  slug?: string;
  /** Id of the parent record. */
  parent?: number | undefined;
  /** ISO, UTC; set for kinds that change by date. */
  modified?: string;
  /** Repairs and omissions in the row; reported by every run. */
  warnings?: StoredWarning[];
}

/**
 * Reports a part of a row that was omitted from its record.
 * @param field Dotted path of the part, such as `chapters[2].start`.
 * @param problem Continues the sentence "<field> …".
 * @param value Value of the row.
 */
export type RowWarningReporter = (field: string, problem: string, value?: unknown) => void;

export interface FileReference {
  address: string;
  /** Kind of asset; determines validation and storage of the file. */
  kind: string;
  /** URL to fetch the file from, if different. */
  fetchFrom?: string;
}

/** Converters for texts of the site, provided by the sync. */
export interface TextConverters {
  /** Converts HTML to text on one line. */
  plain(html: string): string;
  /**
   * Sanitises HTML and makes URLs absolute.
   * @param link Base of relative URLs.
   * @param options.field Name of the field in warnings. Default `content`.
   */
  html(html: string, link: string, options?: { idPrefix?: string; field?: string }): string;
  /** Converts a date and time to ISO in UTC. Without an offset, the time is local time of the site. */
  time(text: string): string;
}

/** Marks a UTC time of the interface, which has no zone, as UTC. */
export function toUtc(time: string): string {
  return `${time}Z`;
}
