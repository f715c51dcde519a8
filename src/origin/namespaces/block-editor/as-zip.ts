import { z } from 'zod';
import { downloadZip } from 'client-zip';

/** The first day that the format knows: the same files make the same archive. */
const WRITTEN = new Date('1980-01-01T00:00:00');

const exported = z.object({ name: z.string(), files: z.record(z.string(), z.string()) });

/** An answer that holds files as the archive of these files; refusals stay as they are. */
export async function asZip(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/zip');
  // A file is not a resource: nothing is said of what else may be done to it.
  headers.delete('Allow');
  const text = await response.text();
  if (text === '') return new Response(null, { headers });
  const read = exported.safeParse(JSON.parse(text));
  // An envelope, or a selection of fields, was asked for as JSON.
  if (!read.success) return new Response(text, { headers: response.headers });
  headers.set('Content-Disposition', `attachment; filename=${read.data.name}.zip`);
  const files = Object.entries(read.data.files).map(([name, input]) => ({ name, input, lastModified: WRITTEN }));
  return new Response(downloadZip(files).body, { headers });
}
