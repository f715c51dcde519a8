import { fileAt } from '#catalogue/addresses/base.ts';
import { z } from 'zod';
import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { feedFilePath, feedSchemaPath, feedsPath } from '#catalogue/addresses/shop-paths.ts';
import { FEED_SCHEMA_NAMES, FEED_SCHEMAS } from '#contracts/feed/index.ts';
import type { GeneratorContext } from '../generator.ts';

/** JSON Schemas of all that is there, and where each language has its own. */
export function writeSchemas({ put, languages, settings }: GeneratorContext): void {
  const site = new URL(settings.siteUrl);
  for (const name of FEED_SCHEMA_NAMES) {
    const place = feedSchemaPath(name);
    const schema = FEED_SCHEMAS[name];
    const described = () => ({
      $id: absoluteUrl(place, site),
      ...z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
    });
    // The project makes all of it.
    put(fileAt(place), () => `${JSON.stringify(described(), undefined, 2)}\n`, 'schema');
  }
  const listed = languages.map(({ code, name }) => ({
    language: code,
    name,
    index: absoluteUrl(feedFilePath(code, 'index.json'), site),
  }));
  put(`${fileAt(feedsPath())}index.json`, `${JSON.stringify({ languages: listed })}\n`);
}
