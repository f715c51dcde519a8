import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** The baseline of the origin's routes: serves copies of their JSON from memory. */
const [, , origin = '', ...paths] = process.argv;
const values = new Map<string, unknown>();
for (const path of paths) values.set(path, await (await fetch(origin + path)).json());

const app = new Hono();
app.get('*', ({ req, json }) => json(values.get(req.url.slice(new URL(req.url).origin.length))));
app.post('*', async ({ req, json }) => json(await req.json(), 201));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
