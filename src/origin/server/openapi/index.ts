export { describeOpenApi, type OpenApiDocument, type OpenApiInput } from './describe-openapi.ts';
export { openApiPages } from './openapi-pages.ts';
