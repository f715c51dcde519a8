/** An address that has a line of its own. */
const ALONE = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*\r?$/gim;
/** What stands alone on a line of one of its attributes is no line of the text. */
const TAG = /<[a-z!/][^<>]*>/gi;
const MARK = /<p>\uFDD2(\d+)\uFDD3<\/p>|\uFDD2(\d+)\uFDD3/g;

/** The same address may have many lines, and stands for much more than its letters. */
const MAX_PLACED = 50;

/** Addresses with a line of their own, each once. */
export function addressesAlone(stored: string): string[] {
  return [...new Set([...joinTags(stored).matchAll(ALONE)].map(([, address = '']) => address))];
}

/**
 * Renders text in which some addresses stand for what they lead to: these are set apart before, and what stands for
 * them is put in afterwards, so that nothing of it is rendered again.
 *
 * @param embeds HTML by address
 */
export function placeEmbeds(
  stored: string,
  embeds: ReadonlyMap<string, string>,
  render: (text: string) => string,
): string {
  if (embeds.size === 0) return render(stored);
  const placed: string[] = [];
  const marked = joinTags(stored.replaceAll(/[\uFDD2\uFDD3]/g, '')).replaceAll(ALONE, (line, address: string) => {
    const html = embeds.get(address);
    return html === undefined || placed.length === MAX_PLACED ? line : `\n\uFDD2${placed.push(html) - 1}\uFDD3\n`;
  });
  return render(splitTags(marked)).replaceAll(
    MARK,
    (_, own?: string, inner?: string) => placed[Number(own ?? inner)] ?? '',
  );
}

const JOINT = '\uFDD4';
const joinTags = (text: string): string => text.replaceAll(TAG, (tag) => tag.replaceAll('\n', JOINT));
const splitTags = (text: string): string => text.replaceAll(JOINT, '\n');
