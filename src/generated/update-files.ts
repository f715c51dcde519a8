import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { RenderContext } from '#catalogue/site/render-context.ts';
import type { Options, Settings } from '#config/index.ts';
import { withDocumentLabels } from '#contracts/product/document-kinds.ts';
import { readContent } from '#files/content-files.ts';
import { encodeText } from '#files/page-writer.ts';
import { createUi, dictionary, type Dictionaries } from '#i18n/index.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import { siteLanguages } from '#catalogue/read-model/with-snapshot.ts';
import { withReadCache, type SnapshotReader } from '#snapshot/index.ts';
import type { ManifestFile, GeneratedManifest } from './generated-manifest.ts';
import type { FileGenerator, GeneratorChanges, GeneratorContext } from './generator.ts';
import { createProductOverlays, type OverlayEntries } from './overlays.ts';
import { findReferences, parseReferences } from './scan/read-head.ts';

export interface GeneratorSources {
  productIndex: ProductIndex;
  snapshot: SnapshotReader;
  readProduct: NonNullable<RenderContext['readProduct']>;
  digest: string | undefined;
  /** Reads the overlays of products. Called lazily. */
  overlays: () => OverlayEntries;
}

export interface UpdateFilesOptions {
  generators: readonly FileGenerator[];
  host: GeneratorSources;
  manifest: GeneratedManifest;
  /** True if the manifest describes the current site. False after an interrupted build, or for another project. */
  isReliable: boolean;
  /** Undefined if everything may have changed. */
  changes: GeneratorChanges | undefined;
  /** Files of pages that only the last build had. */
  left?: readonly string[];
  /** Files in `public/`, which take precedence over generated ones. */
  publicFiles: ReadonlySet<string>;
  isPage: (file: string) => boolean;
  /** Returns true if the site has a file of this size. */
  isThere: (file: string, bytes: number) => boolean;
  write: (file: string, bytes: Uint8Array) => void;
  readPage: (file: string) => string | undefined;
  warn: (message: string) => void;
}

/**
 * Updates all generated files after pages are rendered. The caller commits the manifest's transaction.
 * @returns Obsolete files, which still exist, and the references of changed and removed files before and after.
 */
export async function updateGeneratedFiles(settings: Settings, options: UpdateFilesOptions) {
  const {
    generators,
    host,
    manifest,
    isReliable,
    left = [],
    publicFiles,
    isPage,
    isThere,
    write,
    readPage,
    warn,
  } = options;
  const updated = { gone: new Array<string>(), before: new Set<string>(), after: new Set<string>() };
  const names = new Set(generators.map(({ name }) => name));
  const removeFile = (file: string): void => {
    for (const path of parseReferences(manifest.file(file)?.references)) updated.before.add(path);
    manifest.remove(file);
    if (!publicFiles.has(file)) updated.gone.push(file);
  };
  /** @returns Entry in the manifest. */
  const check = (file: string, name: string): ManifestFile | undefined => {
    checkPath(file);
    const known = manifest.file(file);
    const other = known?.generator ?? name;
    if (isPage(file) || (other !== name && names.has(other)))
      throw new Error(`${file} is generated twice: by "${name}", and by a page or another generator.`);
    return known;
  };
  const removeUnnamed = (name: string, named: ReadonlySet<string>): void => {
    for (const file of manifest.filesOf(name)) if (!named.has(file)) removeFile(file);
  };
  const snapshot = withReadCache(host.snapshot);
  const languages = siteLanguages(snapshot, settings.options);
  const codes = languages.map(({ code }) => code);
  const source = { snapshot, options: settings.options, languages: codes, warn };
  const overlays = createProductOverlays(host.overlays);
  const ui = readUi(settings);
  const run = async ({ name, takesChanges = false, update }: FileGenerator): Promise<void> => {
    const changes = takesChanges && isReliable ? options.changes : undefined;
    const named = new Set<string>();
    const isCurrent = (file: string, key: string, known: ManifestFile | undefined): boolean =>
      isReliable && known?.key === key && isThere(file, known.bytes);
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
        if (publicFiles.has(file)) return;
        const known = check(file, name);
        named.add(file);
        if (key !== undefined && isCurrent(file, key, known)) return;
        const made = typeof content === 'function' ? content() : content;
        const bytes = typeof made === 'string' ? encodeText(made) : made;
        const references = typeof made === 'string' ? findReferences(made) : [];
        write(file, bytes);
        for (const path of parseReferences(known?.references)) updated.before.add(path);
        for (const path of references) updated.after.add(path);
        manifest.put(file, {
          generator: name,
          key,
          bytes: bytes.length,
          digest: hash('sha256', bytes),
          references: JSON.stringify(references),
        });
      },
      keepFile: (file, key) => {
        if (publicFiles.has(file)) return true;
        const isKept = isCurrent(file, key, check(file, name));
        if (isKept) named.add(file);
        return isKept;
      },
      keep: (folder, key) => {
        if (!isReliable || manifest.keyBelow(name, folder) !== key) return false;
        if (changes) return true;
        const existing = manifest.filesBelow(name, folder);
        if (!existing.every((entry) => entry.key === key && isThere(entry.file, entry.bytes))) return false;
        for (const { file } of existing) named.add(file);
        return true;
      },
      remove: (file) => {
        if (manifest.file(file)?.generator === name) removeFile(file);
      },
      files: (folder) =>
        manifest.filesBelow(name, folder).filter(({ file }) => changes !== undefined || named.has(file)),
      isPage,
      readPage,
      warn,
    };
    await update(context);
    if (!changes) removeUnnamed(name, named);
  };
  // Generators read products by GTIN, which alternates between product groups.
  host.productIndex.readAhead(false);
  const running: Promise<void>[] = [];
  const failures: unknown[] = [];
  for (const generator of generators) {
    if (failures.length > 0) break;
    running.push(run(generator).catch((error: unknown) => void failures.push(error)));
    // Lets waiting generators continue.
    await setImmediate();
  }
  // After a failure, nothing may be written any more.
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  for (const name of manifest.names()) if (!names.has(name)) removeUnnamed(name, new Set());
  return updated;
}

function checkPath(file: string): void {
  if (file === '' || file.startsWith('/') || file.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new Error(`"${file}" is not a path in the site. Use a relative path with slashes.`);
}

/** Reads the messages of the site for files generated without Astro. @returns Returns those of a language. */
function readUi({ root, options }: Settings): GeneratorContext['ui'] {
  let dictionaries: Dictionaries | undefined;
  return (language, create = createUi) =>
    create((dictionaries ??= readDictionaries(root, options)), language, options.mainLanguage);
}

function readDictionaries(root: string, { documentKinds }: Options): Dictionaries {
  const contents = readContent(root, 'content/strings', '.json');
  const dictionaries = Object.fromEntries(Array.from(contents, ([id, { data }]) => [id, dictionary.parse(data)]));
  return withDocumentLabels(dictionaries, documentKinds);
}
