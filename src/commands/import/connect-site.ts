import { basicCredential, type Credential } from '#client/credential.ts';
import { createTransport, type Transport } from '#client/create-transport.ts';
import { detectPublishing, type PublishingSite } from '#client/detect-publishing.ts';
import { displayUrl, upstreamError } from '#client/upstream-result.ts';
import { publishingClient, type PublishingClient, type RouteRow } from '#client/publishing-client.ts';
import { getMe, user } from '#contracts/core/user-routes.ts';
import type { ImportSource, ImportKind, ImportOutcome } from '#contracts/import.ts';
import {
  isSortimentError,
  type NamespaceMap,
  SortimentError,
  trimTrailing,
  type RouteDeclaration,
  type RouteQueryInput,
} from '#contracts/index.ts';
import { listTrustedAddresses, type RunStep } from './destination.ts';

/** Reason for skipped records, with their count and the names of the first ones. */
export interface ReportEntry {
  reason: string;
  count: number;
  which: string[];
}

/** Import counts of one kind of record. */
export interface KindReport {
  kind: ImportKind | 'settings' | 'product';
  found: number;
  added: number;
  /** Existing records that changed at the source. */
  updated: number;
  /** Unchanged since the last import, or already present under the same name. */
  unchanged: number;
  left: ReportEntry[];
  /** Imported with differences. */
  lost: ReportEntry[];
  /** Remarks about imported records. */
  notes: ReportEntry[];
}

type Kind = KindReport['kind'];

export type ImportReport = ReturnType<typeof createImportReport>;
export type ImportResult = ReturnType<ImportReport['result']>;

/** Limit per reason in the report. The printed output shows fewer. */
const MAX_NAMED = 1000;
const MAX_CHARACTERS = 300;

export function createImportReport() {
  const kinds = new Map<Kind, KindReport>();
  const getReport = (kind: Kind): KindReport => {
    const counts = { found: 0, added: 0, updated: 0, unchanged: 0 };
    const known = kinds.get(kind) ?? { kind, ...counts, left: [], lost: [], notes: [] };
    kinds.set(kind, known);
    return known;
  };
  const leave = (kind: Kind, reason: string, names: readonly string[], count = names.length): void =>
    add(getReport(kind).left, reason, names, count);
  const lose = (kind: Kind, reason: string, names: readonly string[]): void =>
    add(getReport(kind).lost, reason, names, names.length);
  const note = (kind: Kind, reason: string, names: readonly string[]): void =>
    add(getReport(kind).notes, reason, names, names.length);
  /** @param name Name or ID of the record at the source. */
  const became = (kind: Kind, outcome: ImportOutcome['outcome'], name: string, remark?: string): void => {
    const counts = getReport(kind);
    if (outcome === 'kept' || outcome === 'refused') return leave(kind, remark ?? 'could not be stored', [name]);
    if (outcome === 'met') counts.unchanged += 1;
    else counts[outcome] += 1;
    if (remark !== undefined) (outcome === 'met' ? note : lose)(kind, remark, [name]);
  };
  const found = (kind: Kind, count: number): void => void (getReport(kind).found += count);
  const read = (): KindReport[] => [...kinds.values()];
  /** @param source Address of the site or interface. `changed` is true if anything was added or updated. */
  const result = (source: string) => {
    return { source, changed: read().some(({ added, updated }) => added + updated > 0), kinds: read() };
  };
  return { found, became, leave, lose, note, read, result };
}

function add(list: ReportEntry[], text: string, names: readonly string[], count: number): void {
  const reason = printable(text);
  const known = list.find((entry) => entry.reason === reason);
  const entry = known ?? { reason, count: 0, which: [] };
  entry.count += count;
  entry.which.push(...names.slice(0, MAX_NAMED - entry.which.length).map(printable));
  if (!known) list.push(entry);
}

/** Makes text of another server safe for a terminal: shortened and without control characters. */
function printable(text: string): string {
  const plain = text.slice(0, MAX_CHARACTERS).replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return text.length > MAX_CHARACTERS ? `${plain}…` : plain;
}

export interface SiteAccess {
  address: string;
  user: string;
  /** An application password. */
  password: string;
  /** Path segment of the REST root. @default detected */
  restRoot?: string | undefined;
  /** Names of the namespaces on the site. @default detected for standard servers */
  namespaces?: NamespaceMap | undefined;
  /** Aborts all pending requests. */
  signal?: AbortSignal | undefined;
  /** @default 30000 */
  timeoutMs?: number;
  /** @default 3 */
  retries?: number;
}

/** A site and an account that can read it. */
export interface SiteConnection {
  site: PublishingSite;
  source: ImportSource;
  /** Addresses that its files may be fetched from. */
  fileAddresses: string[];
  /** Finds the credential for a file; undefined for files of other sites. */
  credentialFor: (address: string) => Credential | undefined;
  client: PublishingClient;
  transport: Transport;
}

/**
 * Finds the interface of a site and signs in. The caller closes `transport`.
 *
 * @throws SortimentError IMPORT_NO_INTERFACE, IMPORT_NOT_SIGNED_IN, or UPSTREAM_… if the site is unreachable
 */
export async function connectSite(access: SiteAccess): Promise<SiteConnection> {
  const givenUrl = new URL(displayUrl(access.address));
  const siteUrl = trimTrailing(givenUrl.origin + givenUrl.pathname, '/');
  const options = { timeoutMs: access.timeoutMs ?? 30_000, retries: access.retries ?? 3, connections: 4 };
  const first = createTransport({ ...options, signal: access.signal });
  const site = await findInterface(siteUrl, access, first).finally(() => first.close());
  // Behind a tunnel or on this machine, the site's links may carry another address.
  const isLocal = /^(localhost|127\.|\[::1\])/.test(givenUrl.hostname);
  const home = trimTrailing(site.home, '/');
  const connectTo = isLocal && URL.canParse(home) ? { [new URL(home).origin]: givenUrl.origin } : {};
  const transport = createTransport({ ...options, connectTo, signal: access.signal });
  try {
    const client = publishingClient(site, transport, access);
    await signIn(client, access);
    const signedIn = [siteUrl, ...(isLocal ? Object.keys(connectTo) : [])].map((siteAddress) =>
      basicCredential(access, siteAddress),
    );
    const credentialFor = (address: string) => signedIn.find(({ within }) => address.startsWith(within));
    const source = { site: URL.canParse(home) ? home : siteUrl, addresses: listAddresses([home, siteUrl]) };
    // A local site is always reached at the given address, even if its links contain another.
    const fileAddresses = listAddresses(isLocal ? [home, siteUrl] : listTrustedAddresses(siteUrl, home));
    return { site, source, fileAddresses, credentialFor, client, transport };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function findInterface(siteUrl: string, access: SiteAccess, transport: Transport): Promise<PublishingSite> {
  const { restRoot = 'detect', namespaces = {} } = access;
  try {
    return await detectPublishing({ siteUrl, restRoot, namespaces, account: access }, transport);
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    if (error.code === 'UPSTREAM_UNAUTHORISED') throw notSignedIn(error.message, access);
    if (error.code === 'ENVIRONMENT_INVALID') {
      const hint = 'Correct --namespaces, or leave these pairs out: other namespaces are detected.';
      throw new SortimentError('IMPORT_NO_INTERFACE', error.message, { hint, cause: error });
    }
    if (error.code !== 'UPSTREAM_WRONG_ADDRESS') throw error;
    throw new SortimentError('IMPORT_NO_INTERFACE', error.message, {
      hint: 'Use the address of the site itself, and set --rest-root if its REST root has another name.',
      cause: error,
    });
  }
}

async function signIn(client: PublishingClient, access: SiteAccess): Promise<void> {
  const me = { ...getMe, response: user.pick({ id: true }) };
  const response = await client.call(me, { query: { context: 'edit' } });
  if (response.kind === 'ok') return;
  if (response.kind !== 'unauthorised') throw upstreamError(response);
  throw notSignedIn(`[GET] "${response.url}": ${response.detail}.`, access);
}

function notSignedIn(problem: string, { user: login }: SiteAccess): SortimentError {
  return new SortimentError(
    'IMPORT_NOT_SIGNED_IN',
    `${problem} The site rejected the application password of "${login}".`,
    {
      hint:
        'Create a new application password in the profile of that user. Some servers remove the Authorization header, ' +
        'or allow application passwords over HTTPS only.',
    },
  );
}

const swapScheme = (address: string): string => address.replace(/^https?/, (s) => (s === 'http' ? 'https' : 'http'));

/** Content may link to a site by either scheme. */
function listAddresses(addresses: readonly string[]): string[] {
  const webAddresses = addresses.filter((address) => /^https?:\/\//.test(address));
  return [...new Set(webAddresses.flatMap((address) => [address, swapScheme(address)]))];
}

/** State that the steps of an import share. */
export interface ImportRun extends SiteConnection {
  step: RunStep;
  /** Folder for fetched files that the destination picks up. */
  folder: string;
  report: ImportReport;
  /** IDs of users that were sent. */
  authors: Set<number>;
  /** IDs of records at the source, by kind. */
  seen: Map<ImportKind, Set<number>>;
  /** Addresses that files may be fetched from. */
  hosts: readonly string[];
  /** Number of media files in a row that the server failed to send. */
  failures: number;
  /** Reports the progress of a kind. */
  progress(kind: ImportKind, total: number | undefined): void;
}

/** Error codes that mean "not permitted" or "not available". Other errors abort the import. */
const REFUSALS = new Set(['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED', 'UPSTREAM_WRONG_ADDRESS']);

export function isAccessError(error: unknown): boolean {
  return isSortimentError(error) && REFUSALS.has(error.code);
}

/**
 * Reads the rows of a list page by page. Hidden rows and rows that don't match the contract are reported as left out.
 *
 * @param options.publicCount Number of publicly visible rows, for lists that count only what the account sees.
 * @throws SortimentError UPSTREAM_… if a page can't be read
 */
export async function* readRows<R extends RouteDeclaration>(
  { client }: Pick<SiteConnection, 'client'>,
  route: R,
  query: RouteQueryInput<R>,
  { kind, report, publicCount = 0 }: { kind: ImportKind; report: ImportReport; publicCount?: number },
): AsyncGenerator<{ rows: RouteRow<R>[]; total: number | undefined }> {
  let seen = 0;
  let total: number | undefined;
  for await (const page of client.listAll(route, query)) {
    seen += page.rows.length + page.problems.length;
    total = page.total ?? total;
    report.found(kind, page.rows.length + page.problems.length);
    const rows = page.rows.filter((row) => idOf(row) > 0);
    const unnumbered = page.rows.length - rows.length;
    if (unnumbered > 0) report.leave(kind, 'have no positive ID', [], unnumbered);
    for (const { id, problems } of page.problems) {
      const words = problems.map(({ field, problem }) => `${field} ${problem}`.trim()).join(', ');
      report.leave(kind, `does not match the interface: ${words}`, [id]);
    }
    for (const { id, warnings } of page.warnings)
      for (const { field, problem } of warnings) report.note(kind, `has a repaired date: ${field} ${problem}`, [id]);
    yield { rows, total };
  }
  const hidden = Math.max(total ?? seen, publicCount) - seen;
  if (hidden <= 0) return;
  report.found(kind, hidden);
  report.leave(kind, 'are not shown to this account', [], hidden);
}

/** Reads the rows of a list status by status. Reports statuses that the account can't see. */
export async function* readStatuses<R extends RouteDeclaration>(
  run: ImportRun,
  route: R,
  kind: ImportKind,
  statuses: readonly string[],
  countPublic: (status: string) => Promise<number> = () => Promise.resolve(0),
): AsyncGenerator<RouteRow<R>[]> {
  for (const status of statuses) {
    const publicCount = await countPublic(status);
    try {
      const query = { context: 'edit', status: kind === 'comment' ? status : [status] };
      for await (const { rows, total } of readRows(run, route, query as never, {
        kind,
        report: run.report,
        publicCount,
      })) {
        yield rows;
        run.progress(kind, total);
      }
    } catch (error) {
      if (!isAccessError(error)) throw error;
      run.report.found(kind, publicCount);
      run.report.leave(kind, `with the status "${status}" are not shown to this account`, [], publicCount);
    }
  }
}

function idOf(row: unknown): number {
  return (row as { id: number }).id;
}
