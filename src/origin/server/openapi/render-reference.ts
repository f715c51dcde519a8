import { html } from 'hono/html';
import type { Html } from '#origin/platform/accounts/index.ts';
import type { OpenApiDocument } from './describe-openapi.ts';
import type { OpenApiOperation, OpenApiParameter } from './describe-operation.ts';

/** The document as a page to browse: contents, then every route with its parameters. */
export function renderReference({ paths, tags }: OpenApiDocument): Html {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return html`<h1>Schnittstellen</h1>
    <p lang="en">
      Every route of both interfaces, from the declarations that answer it. For programs:
      <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    <ul lang="en">
      ${tags.map(({ name }) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
    </ul>
    ${tags.map(
      ({ name }) =>
        html`<section lang="en">
          <h2 id="${anchor(name)}">${name}</h2>
          ${operations.filter(({ operation }) => operation.tags.includes(name)).map(renderOperation)}
        </section>`,
    )}`;
}

function renderOperation({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: OpenApiOperation;
}): Html {
  const { summary, parameters, requestBody, responses, operationId, security } = operation;
  const isOpen = security.some((scheme) => Object.keys(scheme).length === 0);
  return html`<details id="${operationId}">
    <summary><code>${method} ${path}</code> ${summary}</summary>
    <p>${isOpen ? 'Open to everybody.' : 'For callers who say who they are.'} ${responses['default']?.description}</p>
    ${parameters.length > 0 ? renderParameters(`Parameters of ${operationId}`, parameters) : ''}
    ${requestBody ? html`<p>Body: <code>${Object.keys(requestBody.content).join(', ')}</code></p>` : ''}
    ${requestBody ? renderParameters(`Fields of ${operationId}`, fieldsOf(requestBody.content)) : ''}
  </details>`;
}

function fieldsOf(content: Record<string, { schema: object }>): OpenApiParameter[] {
  const schema = (content['application/json'] ?? content['multipart/form-data'])?.schema;
  const properties = (schema as { properties?: Record<string, OpenApiParameter['schema']> } | undefined)?.properties;
  return Object.entries(properties ?? {}).map(([name, { description, ...field }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description ? { description } : {}),
    schema: field,
  }));
}

function renderParameters(label: string, parameters: readonly OpenApiParameter[]): Html {
  return html`<section class="scroll" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Meaning</th>
          <th scope="col">Schema</th>
        </tr>
      </thead>
      <tbody>
        ${parameters.map(
          ({ name, description = '', required, schema }) =>
            html`<tr>
              <th scope="row"><code>${name}</code>${required ? ' (required)' : ''}</th>
              <td>${description}</td>
              <td><code>${JSON.stringify(schema)}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function anchor(name: string): string {
  return name.replace(/[^a-z0-9]+/gi, '-');
}
