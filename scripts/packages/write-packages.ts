import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { COMMANDS } from '../cli/command-names.ts';
import { ROOT } from '../cli/load-settings.ts';

export const PACKAGES_FOLDER = path.join(ROOT, '.sortiment/packages');

interface Package {
  name: string;
  description: string;
  /** Globs of the files, relative to the project. */
  files: readonly string[];
  manifest: object;
  /** Packages that the user installs. */
  external?: readonly string[];
}

const { version, license, engines, repository, dependencies } = readManifest();
/** Fields of all packages. */
const SHARED = { version, license, engines, repository, type: 'module' };

/** Files of tests, and descriptions of folders. */
const EXCLUDED = ['**/*.test.ts', '**/testing/**', '**/README.md'];

const PACKAGES: readonly Package[] = [
  {
    name: 'sortiment',
    description: 'A fast, localized, static product catalogue for Astro',
    files: [
      'src/!(origin|e2e)/**',
      `scripts/{sortiment,${COMMANDS.join(',')}}.ts`,
      'scripts/cli/**',
      'content/{norms,search,strings}/**',
    ],
    manifest: {
      bin: { sortiment: './scripts/sortiment.js' },
      imports: {
        '#origin/*.ts': '@sortiment/origin/*.js',
        '#*.ts': './src/*.js',
        '#*': './src/*',
      },
      exports: {
        '.': entry('build/sortiment'),
        './config': entry('config/index'),
        './collections': entry('build/collections/collections'),
        './loaders': entry('build/collections/snapshot-loaders'),
        './render-context': entry('catalogue/site/render-context'),
        './components/*': './src/components/*',
        './internal/*': './src/*',
        './package.json': './package.json',
      },
      peerDependencies: { astro: '^7.3.5' },
    },
    external: ['astro', 'satori'],
  },
  {
    name: '@sortiment/origin',
    description: 'A server of the product and the publishing interface, with its own store',
    // Its pages have the styles of the site.
    files: ['src/origin/**', 'src/styles/**'],
    manifest: {
      imports: {
        '#origin/*.ts': './src/origin/*.js',
        '#*.ts': 'sortiment/internal/*.js',
        '#*': 'sortiment/internal/*',
      },
      exports: { './*': './src/origin/*', './package.json': './package.json' },
      peerDependencies: { sortiment: version },
    },
  },
  {
    name: 'create-sortiment',
    description: 'Creates a catalogue with Sortiment',
    files: ['scripts/create.ts', 'scripts/create/**', 'scripts/cli/command-names.ts', 'src/config/contrast.ts'],
    manifest: {
      bin: './scripts/create.js',
      exports: { './package.json': './package.json' },
      /** Versions for new projects. */
      sortiment: { sortiment: version, astro: dependencies['astro'], mdx: dependencies['@astrojs/mdx'] },
    },
  },
];

function entry(file: string): object {
  return { types: `./src/${file}.d.ts`, default: `./src/${file}.js` };
}

/** Compiles the packages into a folder. @returns Paths of the tarballs. */
export function writePackages(folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  const types = declareTypes();
  return PACKAGES.map((described) => writePackage(described, path.join(folder, described.name), types));
}

/**
 * Returns the declarations of all modules by their absolute path.
 * @throws Error if an exported type can't be named.
 */
function declareTypes(): Map<string, string> {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(ROOT, 'tsconfig.json'),
    { noEmit: false, declaration: true, emitDeclarationOnly: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => fail([String(messageText)]) },
  );
  const declared = new Map<string, string>();
  const files = config?.fileNames.filter((file) => !/\.test\.ts$|\/(?:bench|e2e|testing)\//.test(file));
  const program = ts.createProgram(files ?? [], config?.options ?? {});
  const { diagnostics } = program.emit(
    undefined,
    (file, text) => void declared.set(path.resolve(file), completePaths(text, path.dirname(file))),
  );
  if (diagnostics.length > 0)
    fail(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')));
  return declared;
}

/** Adds the file names that the compiler omits from inferred imports, because Node requires them. */
function completePaths(text: string, folder: string): string {
  return text.replaceAll(
    /(?<=import\(")(\.[^"]*?)(?<!\.[jt]s)(?="\))/g,
    (target) => target + (existsSync(path.resolve(folder, `${target}.ts`)) ? '.js' : '/index.js'),
  );
}

function fail(problems: readonly string[]): never {
  throw new Error(`The types can't be declared:\n${problems.join('\n')}`);
}

function writePackage(
  { files, manifest, external = [], ...described }: Package,
  folder: string,
  types: ReadonlyMap<string, string>,
): string {
  const used = new Set<string>();
  for (const file of globSync(files as string[], { cwd: ROOT, exclude: EXCLUDED as string[] })) {
    const source = path.join(ROOT, file);
    if (/\.(?:ts|astro)$/.test(file) && !file.endsWith('.d.ts')) {
      const text = readFileSync(source, 'utf8');
      for (const name of importedPackages(text)) used.add(name);
      writeCompiled(path.join(folder, file), text);
      const declaration = file.replace(/\.ts$/, '.d.ts');
      const declared = types.get(path.join(ROOT, declaration));
      if (declared !== undefined) writeFileSync(path.join(folder, declaration), declared);
    } else if (path.extname(file) !== '') {
      if (file.endsWith('.css')) for (const name of importedPackages(readFileSync(source, 'utf8'))) used.add(name);
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      cpSync(source, path.join(folder, file), { recursive: true });
    }
  }
  const own = Object.entries(dependencies).filter(([name]) => used.has(name) && !external.includes(name));
  const packageFile = { ...described, ...SHARED, ...manifest, dependencies: Object.fromEntries(own) };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(packageFile, undefined, 2));
  for (const file of ['LICENSE', 'README.md']) cpSync(path.join(ROOT, file), path.join(folder, file));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', path.dirname(folder)], {
      cwd: folder,
      encoding: 'utf8',
    }),
  ) as { filename: string }[];
  return path.join(path.dirname(folder), packed?.filename ?? '');
}

function readManifest() {
  return JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
    engines: object;
    repository?: object;
    dependencies: Record<string, string>;
  };
}

const PACKAGE_IMPORT =
  /(?:from\s*|import\s*\(?\s*|(?:resolve|url)\(\s*)['"]((?:@[^/'"]+\/)?[^./#'"@:][^/'":]*)(?:\/[^'"]*)?['"]/g;

function importedPackages(text: string): string[] {
  return [...text.matchAll(PACKAGE_IMPORT)].map(([, name = '']) => name);
}

function writeCompiled(target: string, text: string): void {
  mkdirSync(path.dirname(target), { recursive: true });
  if (target.endsWith('.astro')) {
    writeFileSync(target, text.replaceAll(/(['"])(\.{1,2}\/[^'"]+)\.ts\1/g, '$1$2.js$1'));
    return;
  }
  const { outputText, sourceMapText } = ts.transpileModule(text, {
    fileName: path.basename(target),
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ESNext,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
      sourceMap: true,
      inlineSources: true,
    },
  });
  // The compiler rewrites neither URLs nor dynamic imports within `export default`.
  const compiled = outputText.replaceAll(/\b(new URL|import)\(\s*(['"])([\w./-]+)\.ts\2/g, '$1($2$3.js$2');
  const file = target.replace(/\.ts$/, '.js');
  writeFileSync(file, compiled);
  writeFileSync(`${file}.map`, sourceMapText ?? '');
}
