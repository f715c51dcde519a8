import type { Transaction } from '#origin/platform/store/index.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported } from './imported-rows.ts';

/** The class name by which a picture in a text names its medium. */
const CLASS = /\bwp-image-(\d+)\b/g;
/** The opening comment of a block that names media by their numbers, up to the end of its attributes. */
const BLOCK = /<!-- wp:(?:image|cover|gallery|file|audio|video|media-text) \{[^<>\n]*\} \/?-->/g;
const IN_BLOCK = /"(id|mediaId)":(\d+)/g;
const LIST_IN_BLOCK = /"ids":\[([\d,\s]*)\]/g;

/** A text that names media by the numbers they have here. Those that keep theirs, or didn't come, stay. */
export async function followIds(tx: Transaction, { source }: ImportScope, text: string): Promise<string> {
  const named = [
    ...[...text.matchAll(CLASS)].map(([, id]) => id),
    ...[...text.matchAll(BLOCK)].flatMap(([block]) => block.match(/\d+/g) ?? []),
  ].map(Number);
  const wanted = named.filter((id) => Number.isSafeInteger(id) && id > 0);
  const rows = await findImported(tx, source.site, 'media', wanted);
  const own = new Map(rows.filter((row) => row.ownId !== row.sourceId).map((row) => [row.sourceId, row.ownId]));
  if (own.size === 0) return text;
  const follow = (id: string) => String(own.get(Number(id)) ?? id);
  return text
    .replaceAll(CLASS, (_, id: string) => `wp-image-${follow(id)}`)
    .replaceAll(BLOCK, (block) =>
      block
        .replaceAll(IN_BLOCK, (_, name: string, id: string) => `"${name}":${follow(id)}`)
        .replaceAll(LIST_IN_BLOCK, (_, ids: string) => `"ids":[${ids.replaceAll(/\d+/g, follow)}]`),
    );
}
