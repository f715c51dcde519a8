import type { IncomingMessage } from 'node:http';

const PRODUCT = /^\/01\/\d{14}\/$/;

/** The path to answer with: a GS1 Digital Link gives all its links to who asks for them. */
export function chooseRepresentation(pathname: string, { url = '', headers }: IncomingMessage): string {
  if (!PRODUCT.test(pathname)) return pathname;
  const linkType = new URL(url, 'http://site').searchParams.get('linkType');
  const isAsked =
    linkType === 'linkset' || linkType === 'all' || headers.accept?.includes('application/linkset+json') === true;
  return isAsked ? `${pathname}linkset.json` : pathname;
}
