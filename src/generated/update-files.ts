import { hash } from 'node:crypto';
import type { Settings } from '#config/index.ts';
import { siteLanguages } from '#product-index/site-languages.ts';
import type { BuildHost } from '#catalogue/port/build-host.ts';
import type { Listing } from '#product-index/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { encodeText } from '#files/encode-text.ts';
import { findReferences, type FileReferences } from './scan/scan-text.ts';
import type { LedgerFile, OutputLedger } from './generated-manifest.ts';
import type { Output, OutputChanges, OutputContext } from './generator.ts';
import { readUi } from './read-ui.ts';
import { writtenOverlays } from './written-overlays.ts';

/** What outputs are made from, as the build that runs has it. */
export interface OutputHost {
  listing: Listing;
  snapshot: SnapshotReader;
  readProduct: NonNullable<BuildHost['readProduct']>;
  digest: string | undefined;
}

export interface UpdateOutputsOptions {
  outputs: readonly Output[];
  host: OutputHost;
  ledger: OutputLedger;
  /** Whether the ledger tells what is in the site: false after a build that was killed, or of another project. */
  isReliable: boolean;
  /** Undefined when everything may be another. */
  changes: OutputChanges | undefined;
  /** Files of pages that the last build had and this one has not. */
  left?: readonly string[];
  /** Files of `public/`, which go before what is made here. */
  publicFiles: ReadonlySet<string>;
  /** Whether a page stands there. */
  isPage: (file: string) => boolean;
  /** Whether a file is in the site, as far as its size tells. */
  isThere: (file: string, bytes: number) => boolean;
  write: (file: string, bytes: Uint8Array) => void;
  readPage: (file: string) => string | undefined;
  warn: (message: string) => void;
  /** Lets others make outputs from nothing, when that pays, and gives `adopt` what they have written. */
  makeMany?: (adopt: (made: MadeOutput) => void) => Promise<void>;
}

/** What has been put into the site for an output. */
export interface MadeOutput {
  output: string;
  files: readonly (readonly [file: string, known: LedgerFile])[];
}

export interface UpdatedOutputs {
  /** Files that are no more; they are still there. */
  gone: string[];
  /** What files that are others now, or gone, have referred to, and what those refer to now. */
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/** Brings everything up to date that stands beside the pages. The ledger's change is for the caller to commit. */
export async function updateOutputs(settings: Settings, options: UpdateOutputsOptions): Promise<UpdatedOutputs> {
  const { outputs, host, ledger, isReliable, publicFiles, isPage, isThere, write, readPage, warn } = options;
  // Outputs take products by their numbers, which jump from shelf to shelf.
  host.listing.readAhead(false);
  const updated = { gone: new Array<string>(), before: new Set<string>(), after: new Set<string>() };
  const names = new Set(outputs.map(({ name }) => name));
  const drop = (file: string): void => {
    for (const place of placesIn(ledger.file(file)?.references)) updated.before.add(place);
    ledger.remove(file);
    if (!publicFiles.has(file)) updated.gone.push(file);
  };
  const check = (file: string, name: string): void => {
    checkPlace(file);
    const other = ledger.file(file)?.output ?? name;
    if (isPage(file) || (other !== name && names.has(other)))
      throw new Error(`${file} is made twice: by the output "${name}" and by a page or another output.`);
  };
  const dropOthers = (name: string, named: ReadonlySet<string>): void => {
    for (const file of ledger.filesOf(name)) if (!named.has(file)) drop(file);
  };
  const done = new Set<string>();
  if (!isReliable)
    await options.makeMany?.(({ output, files }) => {
      for (const [file, known] of files) {
        check(file, output);
        ledger.put(file, known);
      }
      dropOthers(output, new Set(files.map(([file]) => file)));
      done.add(output);
    });
  const languages = siteLanguages(host.snapshot, settings.options);
  const overlays = writtenOverlays(settings.root);
  const ui = readUi(settings.root, settings.options.mainLanguage);
  for (const { name, takesChanges = false, update } of outputs) {
    if (done.has(name)) continue;
    const changes = takesChanges && isReliable ? options.changes : undefined;
    const named = new Set<string>();
    const context: OutputContext = {
      settings,
      ...host,
      languages,
      overlays,
      ui,
      changes,
      left: options.left ?? [],
      put: (file, content, key) => {
        if (publicFiles.has(file)) return;
        check(file, name);
        const known = ledger.file(file);
        named.add(file);
        if (isReliable && key !== undefined && known?.key === key && isThere(file, known.bytes)) return;
        const made = typeof content === 'function' ? content() : content;
        const bytes = typeof made === 'string' ? encodeText(made) : made;
        const references = typeof made === 'string' ? JSON.stringify(findReferences(made)) : NO_REFERENCES;
        write(file, bytes);
        for (const place of placesIn(known?.references)) updated.before.add(place);
        for (const place of placesIn(references)) updated.after.add(place);
        const digest = hash('sha256', bytes);
        ledger.put(file, { output: name, key, bytes: bytes.length, digest, references });
      },
      keep: (folder, key) => {
        if (!isReliable) return false;
        if (changes) return ledger.keyBelow(name, folder) === key;
        const kept = ledger.filesBelow(name, folder);
        if (kept.length === 0 || !kept.every((known) => known.key === key && isThere(known.file, known.bytes)))
          return false;
        for (const { file } of kept) named.add(file);
        return true;
      },
      remove: (file) => {
        if (ledger.file(file)?.output === name) drop(file);
      },
      files: (folder) =>
        ledger
          .filesBelow(name, folder)
          .filter(({ file }) => changes !== undefined || named.has(file))
          .map(({ file, bytes, digest }) => ({ file, bytes, digest })),
      isPage,
      readPage,
      warn,
    };
    await update(context);
    if (!changes) dropOthers(name, named);
  }
  for (const name of ledger.names()) if (!names.has(name)) dropOthers(name, new Set());
  return updated;
}

const NO_REFERENCES = JSON.stringify({ images: [], documents: [], assets: [] } satisfies FileReferences);

function placesIn(references: string | undefined): string[] {
  if (references === undefined || references === NO_REFERENCES) return [];
  const { images, documents, assets } = JSON.parse(references) as FileReferences;
  return [...images, ...documents, ...assets];
}

function checkPlace(file: string): void {
  if (file === '' || file.startsWith('/') || file.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new Error(`"${file}" is no place in the site: give a path with slashes, relative to it.`);
}
