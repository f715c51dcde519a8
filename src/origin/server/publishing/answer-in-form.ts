import { toWirePath } from '#contracts/index.ts';
import { asZip } from '#origin/namespaces/block-editor/index.ts';
import { asXml } from '#origin/namespaces/oembed/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { HttpEndpoint } from './http-endpoint.ts';

/** An answer in JSON as what the route sends instead. */
type Form = (response: Response, request: Request) => Response | Promise<Response>;

/** Routes that can answer in another form than JSON, by their neutral path. */
const FORMS: Readonly<Record<string, Form>> = {
  'oembed/1.0/embed': (response, { url }) =>
    new URL(url).searchParams.get('format') === 'xml' ? asXml(response) : response,
  'block-editor/v1/export': (response, { url }) =>
    new URL(url).searchParams.has('_envelope') ? response : asZip(response),
};

/** Puts answers into the form their route sends; what is not described by a contract, such as XML, is made here. */
export function answerInForm(answer: HttpEndpoint, { namespaces }: OriginContext): HttpEndpoint {
  const forms = new Map(Object.entries(FORMS).map(([path, form]) => [toWirePath(path, namespaces), form]));
  return async (c, path) => {
    const response = await answer(c, path);
    const form = forms.get(path.replaceAll(/^\/|\/$/g, '').toLowerCase());
    // A script that was asked for stays one.
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (!form || !isJson) return response;
    // That of the JSON.
    response.headers.delete('Content-Length');
    return form(response, c.req.raw);
  };
}
