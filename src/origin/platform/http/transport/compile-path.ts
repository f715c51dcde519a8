import { z } from 'zod';

const DIGITS = String.raw`[\d]+`;
const WORD = String.raw`[\w-]+`;

/** A declared path as the index prints it and as requests are matched with it. */
export function compilePath(path: string, params?: z.ZodObject): { pattern: string; matcher: RegExp } {
  const parts = path.split(/<(\w+)>/);
  const capture = (name: string) => capturePattern(params?.shape[name]);
  const pattern = parts.map((part, i) => (i % 2 ? `(?P<${part}>${capture(part)})` : part)).join('');
  const source = parts.map((part, i) => (i % 2 ? `(?<${part}>${capture(part)})` : escapeText(part))).join('');
  return { pattern: `/${pattern}`, matcher: new RegExp(`^${source}$`, 'i') };
}

/** Integers are digits; a text is what it says itself that a path captures of it, else its own pattern, or a word. */
function capturePattern(schema: unknown): string {
  if (!(schema instanceof z.ZodType)) return WORD;
  const { type, pattern } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  if (type === 'integer') return DIGITS;
  const { capture } = schema.meta() ?? {};
  if (typeof capture === 'string') return capture;
  return pattern?.replace(/^\^/, '').replace(/\$$/, '') ?? WORD;
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
