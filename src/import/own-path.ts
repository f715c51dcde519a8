import { createHash } from 'node:crypto';
import { PRODUCT_FILE_NAME } from '#contracts/index.ts';

/** Where files may be fetched from: the host of the interface, and others that were named. */
export interface FileHosts {
  address: string;
  filesFrom?: readonly string[];
}

/** Where a file of a product is kept here, below `media/`; `undefined` for what isn't taken. */
export function ownPath(link: unknown, hosts: FileHosts): string | undefined {
  if (typeof link !== 'string' || !URL.canParse(link) || !isAllowed(link, hosts)) return undefined;
  const { host, pathname, search } = new URL(link);
  const parts = [host, ...pathname.split('/').filter((part) => part !== '' && part !== 'media')];
  const plain = parts.map((part) =>
    decode(part)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^[.-]+/, ''),
  );
  const name = plain.pop() ?? '';
  if (!PRODUCT_FILE_NAME.test(name) || plain.includes('')) return undefined;
  const mark = search === '' ? '' : `${createHash('sha256').update(search).digest('hex').slice(0, 8)}-`;
  return [...plain, mark + name].join('/');
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function isAllowed(url: string, { address, filesFrom = [] }: FileHosts): boolean {
  return [address, ...filesFrom].some((from) => new URL(from).origin === new URL(url).origin);
}
