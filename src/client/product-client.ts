import type { ProductUpstream } from '../config/index.ts';
import { fillPath, type RouteDeclaration } from '../contracts/index.ts';
import { getProduct, getProductIndex, listLanguages, type Language } from '../contracts/product/index.ts';
import type { Answer, Validators } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { Transport } from './create-transport.ts';
import { serializeQuery } from './serialize-query.ts';

export interface ProductClient {
  /** The interface's index: shows whether address and token are right. */
  index(): Promise<Answer<Record<string, string>>>;
  languages(): Promise<Answer<Language[]>>;
  /** A record as it came; `readProduct` reads it. */
  product(gtin: string, language: string, validators?: Validators): Promise<Answer<unknown>>;
}

/** Calls of the product interface. The token goes to addresses below `upstream.root`, and to no other. */
export function productClient(upstream: ProductUpstream, transport: Transport): ProductClient {
  const { root, token } = upstream;
  const credential = { authorization: `Token ${token}`, within: new URL(root).href };

  const call = (route: RouteDeclaration, input: { params?: object; query?: object; validators?: Validators } = {}) => {
    const path = fillPath(route.path, { ...input.params });
    const url = root + path + serializeQuery({ ...input.query });
    return callJson(transport, { url, credential, validators: input.validators });
  };

  return {
    index: async () => readAnswer(await call(getProductIndex), getProductIndex.response, token),
    languages: async () => readAnswer(await call(listLanguages), listLanguages.response, token),
    product: (gtin, language, validators) =>
      call(getProduct, { params: { gtin }, query: { language }, ...(validators && { validators }) }),
  };
}
