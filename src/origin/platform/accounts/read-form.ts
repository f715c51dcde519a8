import type { Context } from 'hono';

/** Form fields by name. The last value wins if a name occurs several times. */
export type FormFields = Readonly<Record<string, unknown>>;

/**
 * Reasons for rejecting a form: too many bytes or fields, aborted, or long without a valid token at its beginning.
 */
export type FormProblem = 'tooLarge' | 'unreadable' | 'unsigned';

export interface FormVariables {
  Variables: { form: FormFields };
}

export interface FormLimits {
  maxBytes: number;
  /**
   * Checks the token at the beginning of a long form before the rest is read. Callers check short forms themselves.
   */
  isToken?: (token: unknown) => boolean;
}

export const TOKEN_FIELD = 'form_token';

/** Maximum number of fields. The largest form has about half as many. */
const MAX_FORM_FIELDS = 200;

/** Bytes within which the token must appear, and maximum size of multipart forms, which no page sends. */
const START_BYTES = 64 * 1024;

const AMPERSAND = 38;

/** Reads a form body. Fields are counted while they arrive, as parsing time grows with the square of their number. */
export async function readForm(c: Context, limits: FormLimits): Promise<FormFields | FormProblem> {
  const contentType = c.req.header('content-type') ?? '';
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const body = await readBody(c, limits, new FieldCheck(limits));
    return typeof body === 'string' ? body : Object.fromEntries(new URLSearchParams(body.toString()));
  }
  const body = await readBody(c, { maxBytes: Math.min(limits.maxBytes, START_BYTES) });
  if (typeof body === 'string' || type !== 'multipart/form-data') return typeof body === 'string' ? body : {};
  try {
    const fields = [...(await new Response(body, { headers: { 'content-type': contentType } }).formData())];
    return fields.length > MAX_FORM_FIELDS ? 'tooLarge' : Object.fromEntries(fields);
  } catch {
    return 'unreadable';
  }
}

async function readBody(
  { req }: Context,
  { maxBytes }: FormLimits,
  check?: FieldCheck,
): Promise<Buffer<ArrayBuffer> | FormProblem> {
  const { body, headers } = req.raw;
  if (Number(headers.get('content-length') ?? 0) > maxBytes) return 'tooLarge';
  // A single buffer, as chunks may be as small as one byte.
  const form = new ArrayBuffer(0, { maxByteLength: maxBytes });
  try {
    for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
      const bytes = form.byteLength;
      if (bytes + chunk.byteLength > maxBytes) return 'tooLarge';
      form.resize(bytes + chunk.byteLength);
      new Uint8Array(form, bytes).set(chunk);
      const problem = check?.findProblem(chunk, form);
      if (problem) return problem;
    }
  } catch {
    // The client aborted the request.
    return 'unreadable';
  }
  return Buffer.from(form.transferToFixedLength());
}

class FieldCheck {
  readonly #isToken: FormLimits['isToken'];
  #fields = 1;
  #isStartChecked: boolean;

  constructor({ isToken }: FormLimits) {
    this.#isToken = isToken;
    this.#isStartChecked = isToken === undefined;
  }

  /** @param form all bytes received so far */
  findProblem(chunk: Uint8Array, form: ArrayBuffer): FormProblem | undefined {
    for (let at = chunk.indexOf(AMPERSAND); at >= 0; at = chunk.indexOf(AMPERSAND, at + 1)) {
      this.#fields += 1;
      if (this.#fields > MAX_FORM_FIELDS) return 'tooLarge';
    }
    if (this.#isStartChecked || form.byteLength < START_BYTES) return undefined;
    this.#isStartChecked = true;
    const start = Buffer.from(form, 0, START_BYTES).toString();
    return this.#isToken?.(new URLSearchParams(start).get(TOKEN_FIELD)) ? undefined : 'unsigned';
  }
}
