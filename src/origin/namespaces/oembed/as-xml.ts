import { escapeXml } from '#contracts/html/index.ts';
const CONTENT_TYPE = 'text/xml; charset=UTF-8';

/** An answer in JSON as the same answer in XML; headers and status stay. */
export async function asXml(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  headers.set('Content-Type', CONTENT_TYPE);
  const text = await response.text();
  const body = text === '' ? null : writeXml(JSON.parse(text));
  return new Response(body, { status: response.status, headers });
}

function writeXml(value: unknown): string {
  return `<?xml version="1.0"?>\n<oembed>${writeInner(value)}</oembed>\n`;
}

/** Maps by their keys; the items of lists all have the name of the root. */
function writeInner(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => element('oembed', entry)).join('');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => element(/^[a-z_][\w.-]*$/i.test(key) ? key : 'oembed', inner))
      .join('');
  return escapeXml(String(value ?? ''));
}

function element(name: string, value: unknown): string {
  return `<${name}>${writeInner(value)}</${name}>`;
}
