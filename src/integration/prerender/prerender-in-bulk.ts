import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroConfig, AstroIntegrationLogger, AstroPrerenderer } from 'astro';
import type { Settings } from '../../config/index.ts';
import { BUILD_HOST, snapshotLoaders, type BuildHost, type RenderScope } from '../../loaders/index.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { tellProgress } from '../tell-progress.ts';
import { bundleFolder, captureBundle, type BundleState, type CapturedBundle } from './astro-internals.ts';
import { buildPlaces } from './build-places.ts';
import { bulkPrerenderer } from './bulk-prerenderer.ts';
import { describeFrame } from './describe-frame.ts';
import { describePages } from './describe-page.ts';
import { fingerprintProject } from './fingerprint-project.ts';
import { BUILD_FILE, finishBuild, newFiles, surveyFiles } from './finish-build.ts';
import { dropBundle, keepBundle } from './kept-bundle.ts';
import type { CatalogueHost } from './open-catalogue-host.ts';
import { openLedger, type LedgerState, type PageLedger } from './page-ledger.ts';
import { openPageWriter } from './page-writer.ts';
import { prerenderMode } from './prerender-mode.ts';
import { packAll, scopeOf, type Parcel } from './parcels.ts';
import { provideCollections } from './provide-collections.ts';
import { crewSize, renderInCrew } from './render-crew.ts';
import { isInShard } from './shard.ts';
import { SHARD_FILE, SHARD_LEDGER } from './shard-files.ts';
import { updatePages, type UpdatedPages } from './update-pages.ts';

type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

/** A build with Vite whose pages are rendered in bulk. */
export interface BulkBuild {
  start(standard: AstroPrerenderer, logger: Logger): AstroPrerenderer;
  finish(digest: string | undefined, logger: Logger): Promise<void>;
}

/** Integrations whose part a build without Astro can do as well. */
const KNOWN_INTEGRATIONS = new Set(['sortiment', '@astrojs/mdx']);
/** What images become that Astro makes smaller itself. */
const ASTRO_IMAGE = /\.(avif|gif|jpe?g|png|tiff|webp)$/;

/**
 * Begins a build: call it before Vite writes anything.
 * @param given The resolved configuration, the languages that are built, and what pages read products from.
 */
export function prerenderInBulk(
  settings: Settings,
  given: { config: AstroConfig; languages: readonly string[]; host: CatalogueHost; listing: string },
): BulkBuild {
  const { distFolder } = settings;
  const places = buildPlaces(settings);
  const fingerprint = fingerprintProject(settings, given.languages);
  const { shard, threads } = prerenderMode();
  if (shard) emptyFolder(distFolder);
  const ledger = openLedger(shard ? path.join(distFolder, SHARD_LEDGER) : places.ledgerFile);
  // What a killed build has left would be taken for the bundle of this one.
  rmSync(bundleFolder(distFolder), { recursive: true, force: true });
  const seen: NonNullable<BuildHost['seen']> = new Map();
  const writer = openPageWriter(distFolder);
  const begun: { updated?: UpdatedPages; state?: LedgerState } = {};
  return {
    start: (standard, logger) => {
      const captured: { bundle?: CapturedBundle; parcels?: readonly Parcel[] | undefined } = {};
      // Others may want to be told of all pages at the end.
      const tellsAll = given.config.integrations.some(({ name }) => !KNOWN_INTEGRATIONS.has(name));
      const prerenderer = bulkPrerenderer(standard, {
        siteUrl: settings.siteUrl,
        publicFolder: path.join(settings.root, 'public'),
        tellsAll,
        update: async (all, lookAgain) => {
          const paths = shard ? all.filter(({ file }) => isInShard(file, shard)) : all;
          const started = performance.now();
          const onProgress = tellProgress('pages', (message) => logger.info(message));
          const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
          const frame = describeFrame(snapshot, seen);
          const state = { fingerprint, distFolder, complete: false, frame, listing: given.listing };
          const { bundle, parcels } = captured;
          const updated = await updatePages({
            paths,
            areAll: true,
            anew: parcels !== undefined,
            gone: [],
            ledger,
            state,
            writer,
            describe: describePages(settings, snapshot, given.host.listing()),
            onProgress,
            renderMany: async (files, settle) => {
              const size = crewSize(parcels ? Infinity : files.length, threads);
              if (size === 0 || !bundle) return [];
              const task = {
                settings,
                bundleFolder: bundleFolder(distFolder),
                state: bundle.state,
                collections: seen,
                inParcels: parcels !== undefined,
              };
              const left = await renderInCrew({ files, parcels }, size, task, settle);
              if (left.length === 0) return [];
              given.host.listing().readAhead();
              lookAt(scopeOf(left));
              bundle.forgetPaths();
              return lookAgain();
            },
          });
          snapshot.close();
          begun.updated = updated;
          begun.state = state;
          const seconds = ((performance.now() - started) / 1000).toFixed(1);
          logger.info(
            `${updated.rendered} pages and feeds rendered in ${seconds} s, ${updated.written} are new or changed`,
          );
          if (shard) return new Set(all.map(({ file }) => file));
          const files = new Set(ledger.known().keys());
          const problem = bundle && whyNotKept(given.config, ledger, updated.empty);
          try {
            if (problem) throw new Error(problem);
            if (bundle) keep(bundle.state);
          } catch (error) {
            dropBundle(places.bundleFolder);
            logger.info(
              `The next build will need Vite too: ${error instanceof Error ? error.message : String(error)}.`,
            );
          }
          return files;
        },
      });
      const keep = (state: BundleState): void => {
        const ofSnapshot = new Set(Object.keys(snapshotLoaders(settings.options)));
        const collections = new Map([...seen].filter(([collection]) => !ofSnapshot.has(collection)));
        keepBundle(places.bundleFolder, bundleFolder(distFolder), { fingerprint, state, collections });
      };
      return {
        ...prerenderer,
        setup: async () => {
          const listing = given.host.listing();
          // Shelf by shelf, which Astro's store is not.
          const provided = provideCollections(new Map(), given.host.listing);
          globalThis[BUILD_HOST] = { ...globalThis[BUILD_HOST], seen, provided };
          captured.bundle = await captureBundle(bundleFolder(distFolder), async () => standard.setup?.());
          const isNew = isUnknown(ledger, { fingerprint, distFolder });
          captured.parcels = isNew && !shard && !tellsAll ? packAll(listing, given.languages, threads) : undefined;
          if (captured.parcels) lookAt(scopeOf([]));
          else listing.readAhead();
        },
      };
    },
    finish: async (digest, logger) => {
      const { updated, state } = begun;
      if (!updated || !state) throw new Error('Astro has not rendered any page.');
      if (!shard) {
        await finishBuild(settings, {
          ledger,
          state,
          updated,
          host: given.host,
          changes: undefined,
          writer,
          digest,
          logger,
          others: undefined,
        });
      } else {
        // What all pages together need is made when the shards are merged.
        const others = await surveyFiles(distFolder, newFiles(settings, writer.begunMs));
        const pages = ledger.countPages();
        ledger.commit({ ...state, others, complete: true });
        writeFileSync(path.join(distFolder, BUILD_FILE), `${JSON.stringify({ digest, pages })}\n`);
        writeFileSync(path.join(distFolder, SHARD_FILE), `${JSON.stringify(shard)}\n`);
        writer.close();
      }
      ledger.close();
    },
  };
}

/** From now on, these product pages only. */
function lookAt(scope: RenderScope): void {
  globalThis[BUILD_HOST] = { ...globalThis[BUILD_HOST], scope };
}

/** Whether nothing that the ledger has can be relied on. */
function isUnknown(ledger: PageLedger, now: Pick<LedgerState, 'fingerprint' | 'distFolder'>): boolean {
  const known = ledger.state();
  const isSame = known?.fingerprint === now.fingerprint && known.distFolder === now.distFolder;
  // Until a build has come to its end there is no key of a page.
  return !isSame || known.others === undefined;
}

function emptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (name !== '.git') rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Why a later build can't do with this bundle what Astro does, as the end of a sentence. */
function whyNotKept({ integrations }: AstroConfig, ledger: PageLedger, empty: number): string | undefined {
  const foreign = integrations.find(({ name }) => !KNOWN_INTEGRATIONS.has(name));
  if (foreign) return `${foreign.name} may have its part in every build`;
  if (empty > 0) return 'some paths are no pages';
  const images = ledger.references().assets.filter((asset) => ASTRO_IMAGE.test(asset));
  return images.length > 0 ? 'pages show images that Astro makes' : undefined;
}
