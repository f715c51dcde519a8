import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { formatProblems, messageOf, readValue, SortimentError } from '#contracts/index.ts';
import { readFrontMatter } from '#contracts/front-matter.ts';
import type { HazardLabel } from '#contracts/hazard-label.ts';
import {
  demoAddition,
  demoMedia,
  demoProducts,
  demoSite,
  demoTerms,
  pageFrontMatter,
  postFrontMatter,
  type DemoContent,
  type DemoHazards,
  type DemoProducts,
  type DemoUser,
} from './demo-content.ts';
import { demoSeo } from './demo-seo.ts';
import { demoEpisode, demoShow, type DemoPodcast } from './demo-podcast.ts';

/**
 * Reads the demo content below `folder` (`content/demo` of this project) into plain objects. Posts and pages
 * are ordered by key and language.
 * @throws SortimentError `DEMO_CONTENT_INVALID`, naming the file and each field that is wrong; `DEMO_UNAVAILABLE` without
 * the folder.
 */
export async function readDemoContent(folder: string): Promise<DemoContent> {
  if (!existsSync(folder)) {
    throw new SortimentError('DEMO_UNAVAILABLE', `The demo is not available: there is no folder ${folder}.`, {
      hint: 'Restore the folder from the version control; `npm run origin -- demo remove` reads it too.',
    });
  }
  const [siteFile, terms, media, seo, products, hazards] = await Promise.all([
    readYaml(folder, 'site.yaml', demoSite),
    readYaml(folder, 'terms.yaml', demoTerms),
    readYaml(folder, 'media.yaml', demoMedia),
    readYaml(folder, 'seo.yaml', demoSeo),
    readProducts(folder),
    readHazards(join(folder, '../products')),
  ]);
  const { users, maker, ...site } = siteFile;
  const [posts, pages, podcast] = await Promise.all([
    readTexts(folder, 'posts', postFrontMatter, users),
    readTexts(folder, 'pages', pageFrontMatter, users),
    readDemoPodcast(join(folder, 'podcast')),
  ]);
  const translated = new Set(podcast.episodes.map(({ key }) => `translation-${key}`));
  const tags = [...terms.tags, ...[...translated].map((slug) => ({ slug, name: slug }))];
  return { site, users, maker, ...terms, tags, media, posts, pages, products, hazards, podcast, seo };
}

/** Reads the podcast of the demo below `folder`. @throws as `readDemoContent` */
export async function readDemoPodcast(folder: string): Promise<DemoPodcast> {
  const names = (await listFolder(folder, '')).toSorted();
  const episodes = names.flatMap((name) => {
    const [, key, language] = /^([a-z-]+)\.([a-z]{2}-[a-z]{2})\.yaml$/.exec(name) ?? [];
    return key && language ? [{ key, language, name }] : [];
  });
  return {
    shows: await readYaml(folder, 'shows.yaml', z.array(demoShow).min(1)),
    episodes: await Promise.all(
      episodes.map(async ({ key, language, name }) => ({
        key,
        language,
        episode: await readYaml(folder, name, demoEpisode),
      })),
    ),
  };
}

async function readYaml<T extends z.ZodType>(folder: string, name: string, schema: T): Promise<z.output<T>> {
  return check(schema, understand(name, parse, await read(folder, name)), name);
}

/** The records stay as they are on the wire: the origin serves them. */
async function readProducts(folder: string): Promise<DemoProducts> {
  const name = 'products.json';
  const records: unknown = understand(name, JSON.parse, await read(folder, name));
  check(demoProducts, records, name);
  return records as DemoProducts;
}

/** Label texts come from the project's additions to products, so that pages and documents agree. */
async function readHazards(folder: string): Promise<DemoHazards> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.flatMap((name) => {
      const [, gtin] = /^(\d{13})\.mdx$/.exec(name) ?? [];
      return gtin === undefined ? [] : readHazard(folder, gtin);
    }),
  );
  return Object.fromEntries(found.flat());
}

async function readHazard(folder: string, gtin: string): Promise<[string, HazardLabel][]> {
  const name = `${gtin}.mdx`;
  const { fields } = understand(name, splitText, await read(folder, name));
  const { hazard } = check(demoAddition, fields, name);
  return hazard ? [[gtin, hazard]] : [];
}

async function readTexts<T extends z.ZodType<object>>(
  folder: string,
  kind: string,
  schema: T,
  users: readonly DemoUser[],
) {
  const names = (await listFolder(folder, kind)).filter((name) => name.endsWith('.html')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const file = `${kind}/${name}`;
      const [, key, language] = /^(.+)\.([a-z]{2}-[a-z]{2})\.html$/.exec(name) ?? [];
      const author = users.find((user) => user.language === language)?.login;
      if (!key || !language || !author) {
        throw invalid(file, 'its name is not <key>.<language>.html with the language of an account in site.yaml');
      }
      const { fields, body } = understand(file, splitText, await read(folder, file));
      return { ...check(schema, fields, file), key, language, author, body: body.trim() };
    }),
  );
}

function splitText(text: string): { fields: unknown; body: string } {
  const split = readFrontMatter(text);
  if (split.fields === undefined) throw new Error('has no front matter between two lines of ---');
  return split;
}

function check<T extends z.ZodType>(schema: T, value: unknown, file: string): z.output<T> {
  const reading = readValue(schema, value);
  if (reading.ok) return reading.value;
  throw invalid(file, `\n${formatProblems(reading.problems)}`);
}

function understand<T>(file: string, reader: (text: string) => T, text: string): T {
  try {
    return reader(text);
  } catch (error) {
    throw invalid(file, messageOf(error), error);
  }
}

async function read(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    throw invalid(name, `cannot be read below ${folder}`, error);
  }
}

async function listFolder(folder: string, name: string): Promise<string[]> {
  try {
    return await readdir(join(folder, name));
  } catch (error) {
    throw invalid(`${name}/`, `cannot be listed below ${folder}`, error);
  }
}

function invalid(file: string, problem: string, cause?: unknown): SortimentError {
  return new SortimentError('DEMO_CONTENT_INVALID', `Demo content, ${file}: ${problem}`, {
    hint: 'Correct the file; content/demo/README.md says what each one holds.',
    cause,
  });
}
