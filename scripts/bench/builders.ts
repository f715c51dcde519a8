import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { copyProject, editFile } from './copy-project.ts';
import type { BuilderName } from './build-rows.ts';
import type { Catalogue } from './catalogue.ts';
import type { Command } from './measure-process.ts';

/** Something that makes pages of a catalogue. */
export interface Builder {
  name: BuilderName;
  distFolder: string;
  /** The file that a change of the template changes. */
  template: string;
  /** Puts a catalogue where the command will find it. */
  take(catalogue: Catalogue): void;
  /** Removes everything that earlier builds have left. */
  forget(): void;
  command(): Command;
}

/** As much of the environment as programs need: nothing that would configure the project. */
const ENV = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: process.env['TMPDIR'],
  SORTIMENT_OFFLINE: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NO_COLOR: '1',
};

/** Peers that hold all pages of a large catalogue at once get the memory for it. */
const ROOMY = { ...ENV, NODE_OPTIONS: '--max-old-space-size=8192' };

/** All that a build puts beside its pages, as far as they have to do with products. */
const BESIDE = /(?<=GENERATORS: readonly FileGenerator\[\] = )\[[^\]]*\]/g;

/**
 * This project, or Astro's own loop in it, in a copy that makes pages only, as the peers do, and draws no pictures to
 * share.
 * @param options `withFiles` makes all other files that belong to them.
 */
export function projectBuilder(
  folder: string,
  name: 'ours' | 'astro' | 'astro-incremental',
  { withFiles = false } = {},
): Builder {
  copyProject(folder);
  editFile(path.join(folder, 'src/sortiment.config.ts'), /(?=mainLanguage:)/, 'shareImages: false,\n  ');
  if (!withFiles) editFile(path.join(folder, 'src/generated/generators.ts'), BESIDE, '[]');
  if (name === 'astro-incremental') {
    editFile(
      path.join(folder, 'astro.config.mjs'),
      /defineConfig\(\{/,
      '$&\n  experimental: { incrementalBuild: true },',
    );
  }
  const home = path.join(folder, '.sortiment');
  const distFolder = path.join(folder, 'dist');
  mkdirSync(home, { recursive: true });
  const remove = (which: (file: string) => boolean): void => {
    for (const file of readdirSync(home).filter(which)) rmSync(path.join(home, file), { recursive: true });
  };
  return {
    name,
    distFolder,
    template: path.join(folder, 'src/components/product/MakerBlock.astro'),
    take: ({ snapshotPath, assetsFolder }) => {
      remove(isSnapshot);
      if (assetsFolder) cpSync(assetsFolder, path.join(home, 'assets'), { recursive: true });
      copyFileSync(snapshotPath, path.join(home, 'snapshot.sqlite'));
    },
    forget: () => {
      remove((file) => !isSnapshot(file));
      for (const place of ['dist', '.astro']) rmSync(path.join(folder, place), { recursive: true, force: true });
    },
    command: () => ({
      file: process.execPath,
      args: [
        '--import',
        './scripts/cli/keep-compiled.mjs',
        'scripts/build.ts',
        '--json',
        ...(name === 'ours' ? [] : ['--default-loop']),
      ],
      cwd: folder,
      env: name === 'ours' ? ENV : ROOMY,
    }),
  };
}

function isSnapshot(file: string): boolean {
  return file.startsWith('snapshot.sqlite');
}

/**
 * A generator that makes the product pages only, of facts that are laid out for it.
 * @param folder Of a copy of the project, which several of them share.
 */
export function peerBuilder(folder: string, name: 'eleventy' | 'hugo' | 'bare'): Builder {
  const peers = path.join(folder, 'scripts/bench/peers');
  const distFolder = path.join(folder, `dist-${name}`);
  let catalogue: Catalogue | undefined;
  const taken = (): Catalogue => {
    if (!catalogue) throw new Error(`${name} was given no catalogue.`);
    return catalogue;
  };
  const commands = {
    eleventy: () => ({
      file: process.execPath,
      args: [
        ELEVENTY,
        '--quiet',
        '--config=scripts/bench/peers/eleventy/eleventy.config.ts',
        '--input=scripts/bench/peers/eleventy',
        `--output=${path.basename(distFolder)}`,
      ],
      cwd: folder,
      env: { ...ROOMY, BENCH_FACTS: taken().factsFolder },
    }),
    hugo: () => ({
      file: 'hugo',
      args: [
        '--quiet',
        `--source=${taken().hugoFolder}`,
        `--config=${path.join(peers, 'hugo/hugo.json')}`,
        `--layoutDir=${path.join(peers, 'hugo/layouts')}`,
        `--destination=${distFolder}`,
      ],
      cwd: folder,
      env: ENV,
    }),
    bare: () => ({
      file: process.execPath,
      args: ['scripts/bench/peers/build-bare.ts', taken().factsFolder, distFolder],
      cwd: folder,
      env: ENV,
    }),
  };
  return {
    name,
    distFolder,
    template: path.join(peers, name === 'hugo' ? 'hugo/layouts/_default/single.html' : 'product-body.ts'),
    take: (given) => {
      catalogue = given;
    },
    forget: () => rmSync(distFolder, { recursive: true, force: true }),
    command: commands[name],
  };
}

/** Whether the installed Astro has its own builds of changed pages only. */
export function hasIncrementalBuild(folder: string): boolean {
  const types = path.join(folder, 'node_modules/astro/dist/types/public/config.d.ts');
  return existsSync(types) && readFileSync(types, 'utf8').includes('incrementalBuild?:');
}

/** Installed apart: `npm ci --prefix .config/foreign-clients`. */
const ELEVENTY = path.resolve(import.meta.dirname, '../../.config/foreign-clients/node_modules/@11ty/eleventy/cmd.cjs');

export function hasEleventy(): boolean {
  return existsSync(ELEVENTY);
}

export function hasHugo(): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, 'hugo')));
}
