import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RenderContext } from '#catalogue/port/render-context.ts';
import type { Settings } from '#config/index.ts';
import { encodeText } from '#files/encode-text.ts';
import { createUi, dictionary, type Dictionaries, type Ui } from '#i18n/index.ts';
import type { ProductIndex } from '#product-index/index.ts';
import { siteLanguages } from '#product-index/site-languages.ts';
import { rememberReads, type SnapshotReader } from '#snapshot/index.ts';
import type { ManifestFile, GeneratedManifest } from './generated-manifest.ts';
import type { FileGenerator, GeneratorChanges, GeneratorContext } from './generator.ts';
import { writtenOverlays, type OverlayEntries } from './overlays.ts';
import { findReferences, readReferences } from './scan/scan-text.ts';

/** What generators read from, in the current build. */
export interface GeneratorSources {
  productIndex: ProductIndex;
  snapshot: SnapshotReader;
  readProduct: NonNullable<RenderContext['readProduct']>;
  digest: string | undefined;
  /** What is written to products; called when it is needed. */
  overlays: () => OverlayEntries;
}

export interface UpdateFilesOptions {
  generators: readonly FileGenerator[];
  host: GeneratorSources;
  manifest: GeneratedManifest;
  /** Whether the manifest tells what is in the site: false after a build that was killed, or of another project. */
  isReliable: boolean;
  /** Undefined when everything may be another. */
  changes: GeneratorChanges | undefined;
  /** Files of `public/`, which go before what is made here. */
  publicFiles: ReadonlySet<string>;
  /** Whether a page stands there. */
  isPage: (file: string) => boolean;
  /** Whether a file is in the site, as far as its size tells. */
  isThere: (file: string, bytes: number) => boolean;
  write: (file: string, bytes: Uint8Array) => void;
  readPage: (file: string) => string | undefined;
  warn: (message: string) => void;
  /** Runs generators from scratch in workers, when that pays, and gives `adopt` what they have written. */
  makeMany?: (adopt: (made: GeneratedSet) => void) => Promise<void>;
}

/** What has been put into the site for an output. */
export interface GeneratedSet {
  generator: string;
  files: readonly (readonly [file: string, known: ManifestFile])[];
}

export interface UpdatedFiles {
  /** Files that are no more; they are still there. */
  gone: string[];
  /** What files that are others now, or gone, have referred to, and what those refer to now. */
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
}

/** All generated files, while they are updated. */
export interface GeneratedFiles {
  /**
   * Updates all that are left, when pages are there.
   * @param left Files of pages that the last build had and this one has not.
   */
  finish(left?: readonly string[]): Promise<UpdatedFiles>;
  /** To be called in any case: after a failed page, it waits until nothing is written any more. */
  end(): Promise<void>;
}

/** Updates all generated files. The caller commits the transaction of the manifest. */
export function updateGeneratedFiles(settings: Settings, options: UpdateFilesOptions): Promise<UpdatedFiles> {
  return beginGeneratedFiles(settings, options).finish();
}

/** The same before pages are rendered: early generators start at once, unless the manifest is unreliable. */
export function beginGeneratedFiles(settings: Settings, options: UpdateFilesOptions): GeneratedFiles {
  const { generators, host, manifest, isReliable, publicFiles, isPage, isThere, write, readPage, warn } = options;
  let left: readonly string[] = [];
  let isEnded = false;
  const updated = { gone: new Array<string>(), before: new Set<string>(), after: new Set<string>() };
  const names = new Set(generators.map(({ name }) => name));
  const drop = (file: string): void => {
    for (const place of readReferences(manifest.file(file)?.references)) updated.before.add(place);
    manifest.remove(file);
    if (!publicFiles.has(file)) updated.gone.push(file);
  };
  /** @returns What is known of it. */
  const check = (file: string, name: string, known = manifest.file(file)): ManifestFile | undefined => {
    checkPlace(file);
    const other = known?.generator ?? name;
    if (isPage(file) || (other !== name && names.has(other)))
      throw new Error(`${file} is generated twice: by "${name}" and by a page or another generator.`);
    return known;
  };
  const dropOthers = (name: string, named: ReadonlySet<string>): void => {
    for (const file of manifest.filesOf(name)) if (!named.has(file)) drop(file);
  };
  const snapshot = rememberReads(host.snapshot);
  const languages = siteLanguages(snapshot, settings.options);
  const codes = languages.map(({ code }) => code);
  const source = { snapshot, options: settings.options, languages: codes, warn };
  const overlays = writtenOverlays(host.overlays);
  const ui = readUi(settings.root, settings.options.mainLanguage);
  const run = async ({ name, takesChanges = false, update }: FileGenerator): Promise<void> => {
    const changes = takesChanges && isReliable ? options.changes : undefined;
    const named = new Set<string>();
    // It names all its files: one query is faster than one for each.
    const own = takesChanges ? undefined : new Map(manifest.entriesOf(name));
    const context: GeneratorContext = {
      settings,
      ...host,
      snapshot,
      source,
      languages,
      overlays,
      ui,
      changes,
      left,
      put: (file, content, key) => {
        if (isEnded) throw new Error('The build has ended.');
        if (publicFiles.has(file)) return;
        const known = check(file, name, own?.get(file));
        named.add(file);
        if (isReliable && key !== undefined && known?.key === key && isThere(file, known.bytes)) return;
        const made = typeof content === 'function' ? content() : content;
        const bytes = typeof made === 'string' ? encodeText(made) : made;
        const places = typeof made === 'string' ? findReferences(made) : [];
        write(file, bytes);
        for (const place of readReferences(known?.references)) updated.before.add(place);
        for (const place of places) updated.after.add(place);
        const digest = hash('sha256', bytes);
        manifest.put(file, { generator: name, key, bytes: bytes.length, digest, references: JSON.stringify(places) });
      },
      keep: (folder, key, next = key) => {
        if (!isReliable || manifest.keyBelow(name, folder) !== key) return false;
        if (changes && next === key) return true;
        const kept = manifest.filesBelow(name, folder);
        if (!changes && !kept.every((known) => known.key === key && isThere(known.file, known.bytes))) return false;
        for (const { file } of kept) {
          named.add(file);
          const known = next === key ? undefined : manifest.file(file);
          if (known) manifest.put(file, { ...known, key: next });
        }
        return true;
      },
      keyBelow: (folder) => (isReliable ? manifest.keyBelow(name, folder) : undefined),
      remove: (file) => {
        if (manifest.file(file)?.generator === name) drop(file);
      },
      files: (folder) =>
        manifest
          .filesBelow(name, folder)
          .filter(({ file }) => changes !== undefined || named.has(file))
          .map(({ file, bytes, digest }) => ({ file, bytes, digest })),
      isPage,
      readPage,
      warn,
    };
    await update(context);
    if (!changes) dropOthers(name, named);
  };
  const done = new Set<string>();
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  const begin = (generator: FileGenerator): void => {
    done.add(generator.name);
    running.push(run(generator).catch((error: unknown) => void failures.push(error)));
  };
  if (isReliable) for (const generator of generators) if (generator.isEarly) begin(generator);
  const adopt = ({ generator, files }: GeneratedSet): void => {
    for (const [file, known] of files) {
      check(file, generator);
      manifest.put(file, known);
    }
    dropOthers(generator, new Set(files.map(([file]) => file)));
    done.add(generator);
  };
  return {
    finish: async (gone = []) => {
      left = gone;
      // Generators take products by their numbers, which jump from product group to product group.
      host.productIndex.readAhead(false);
      if (!isReliable) await options.makeMany?.(adopt);
      for (const generator of generators) {
        if (failures.length > 0) break;
        if (done.has(generator.name)) continue;
        begin(generator);
        // Generators that wait go on meanwhile.
        await setImmediate();
      }
      await Promise.all(running);
      if (failures.length > 0) throw failures[0];
      for (const name of manifest.names()) if (!names.has(name)) dropOthers(name, new Set());
      return updated;
    },
    end: async () => {
      isEnded = true;
      await Promise.all(running);
    },
  };
}

function checkPlace(file: string): void {
  if (file === '' || file.startsWith('/') || file.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new Error(`"${file}" is not a path in the site: give a relative path with slashes.`);
}

/** The texts of the site, for what is made without Astro. @returns Gives those in a language. */
function readUi(root: string, mainLanguage: string): (language: string) => Ui {
  let dictionaries: Dictionaries | undefined;
  const made = new Map<string, Ui>();
  return (language) => {
    const ui = made.get(language) ?? createUi((dictionaries ??= readDictionaries(root)), language, mainLanguage);
    made.set(language, ui);
    return ui;
  };
}

function readDictionaries(root: string): Dictionaries {
  const folder = path.join(root, 'content/strings');
  return Object.fromEntries(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        path.basename(file, '.json'),
        dictionary.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))),
      ]),
  );
}
