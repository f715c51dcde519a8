import type { Called, CallInput, PublishingClient, RowProblem } from './publishing-client-types.ts';
import { z } from 'zod';
import { fillPath, readValue, toWirePath, type RouteDeclaration, type RouteResponse } from '#contracts/index.ts';
import type { Answer } from './answer.ts';
import { callJson, readAnswer } from './call-json.ts';
import type { Transport } from './create-transport.ts';
import type { PublishingSite } from './detect-publishing.ts';
import { listAll } from './list-all.ts';
import { restAddress } from './rest-address.ts';

/** Who calls, as an application password tells it. */
export interface PublishingAccount {
  user: string;
  password: string;
}

/**
 * Calls of a publishing site as `detectPublishing` found it.
 * @param account Goes to addresses below the REST root, and to no other. Without one the calls are anybody's.
 */
export function publishingClient(
  site: PublishingSite,
  transport: Transport,
  account?: PublishingAccount,
): PublishingClient {
  const credential = account && { authorization: basic(account), within: new URL(site.root).href };

  async function call<R extends RouteDeclaration>(route: R, input: CallInput<R> = {}): Promise<Answer<Called<R>>> {
    const path = toWirePath(fillPath(route.path, input.params), site.namespaces);
    const url = restAddress(site.root, path, { ...input.query });
    const answer = await callJson(transport, { url, validators: input.validators, ...(credential && { credential }) });
    if (answer.kind !== 'ok') return answer;
    if (route.response instanceof z.ZodArray && Array.isArray(answer.value)) {
      return { ...answer, value: readRows<R>(answer.value, route.response.element as z.ZodType) };
    }
    const read = readAnswer(answer, route.response);
    if (read.kind !== 'ok') return read;
    return { ...read, value: { body: read.value as RouteResponse<R>, problems: [] } };
  }

  return { call, listAll: (route, query, rescue) => listAll(call, route, query, rescue) };
}

function basic({ user, password }: PublishingAccount): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** One bad row must not take the other 99 of its page with it. */
function readRows<R extends RouteDeclaration>(rows: readonly unknown[], element: z.ZodType): Called<R> {
  const good: unknown[] = [];
  const problems: RowProblem[] = [];
  for (const wire of rows) {
    const reading = readValue(element, wire);
    if (reading.ok) good.push(reading.value);
    else problems.push({ id: idOf(wire), problems: reading.problems, wire });
  }
  // Proved row by row just above.
  return { body: good as RouteResponse<R>, problems };
}

function idOf(wire: unknown): string {
  if (typeof wire !== 'object' || wire === null || !('id' in wire)) return '';
  return typeof wire.id === 'number' || typeof wire.id === 'string' ? String(wire.id) : '';
}
