import { toWirePath, type NamespaceMap, type RouteDeclaration } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import type { ServedPath } from '#origin/platform/http/index.ts';
import { describeOperation, type OpenApiOperation } from './describe-operation.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  /** Path -> method in lower case -> operation. */
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { securitySchemes: Record<string, object> };
}

export interface OpenApiInput {
  publicUrl: string;
  restRoot: string;
  namespaces: NamespaceMap;
  /** What the publishing interface serves. */
  served: readonly ServedPath[];
  /** What the product interface serves. */
  product: readonly RouteDeclaration[];
}

const PUBLISHING_ERROR = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, data: { type: ['object', 'null'] } },
  required: ['code', 'message'],
};
const PRODUCT_ERROR = { type: 'object', properties: { detail: { type: 'string' } } };

const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <token>`' },
  user: { type: 'http', scheme: 'basic', description: 'Name of a user and one of their application passwords' },
};

/** Both interfaces as OpenAPI 3.1, out of the declarations that they are served by. */
export function describeOpenApi(input: OpenApiInput): OpenApiDocument {
  const { publicUrl, restRoot, namespaces, served, product } = input;
  const paths: OpenApiDocument['paths'] = {};
  const add = (address: string, method: string, operation: OpenApiOperation) => {
    (paths[address] ??= {})[method.toLowerCase()] ??= operation;
  };
  for (const declaration of product) {
    const { method } = declaration;
    const address = `/${PRODUCT_ROOT}${template(declaration.path)}`;
    const place = { method, address, tag: 'product interface', scheme: 'token', error: PRODUCT_ERROR };
    add(address, method, describeOperation(declaration, place));
  }
  for (const { path, namespace, routes } of served) {
    const address = `/${restRoot}/${template(toWirePath(path, namespaces))}`;
    for (const { declaration, methods } of routes) {
      for (const method of methods) {
        const place = { method, address, tag: namespace || 'index', scheme: 'user', error: PUBLISHING_ERROR };
        add(address, method, describeOperation(declaration, place));
      }
    }
  }
  const tags = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap((operation) => operation.tags)),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sortiment',
      version: '1',
      description: 'The product interface and the publishing interface of this origin.',
    },
    servers: [{ url: publicUrl }],
    tags: [...tags].map((name) => ({ name })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES },
  };
}

/** `core/v2/posts/<id>` -> `core/v2/posts/{id}` */
function template(path: string): string {
  return path.replace(/<(\w+)>/g, '{$1}');
}
