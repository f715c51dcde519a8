export { describeOpenApi, type OpenApiDocument, type OpenApiInput } from './openapi-pages.ts';
export { openApiPages } from './openapi-pages.ts';
