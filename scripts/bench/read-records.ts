import { readFileSync } from 'node:fs';
import { Agent, setGlobalDispatcher } from 'undici';
import pLimit from 'p-limit';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { runSync } from '#sync/run-sync.ts';
import { limitMallocArenas } from '../cli/limit-malloc-arenas.ts';

/**
 * A process of its own: reads all records in one way, and prints what it took as one line of JSON. Memory is that of
 * the whole process at its peak.
 */
export interface ReadTask {
  way: 'one by one' | 'pool of 8' | 'sync';
  folder: string;
  /** One GTIN a line. */
  list: string;
  url: string;
  token: string;
}

export interface ReadResult {
  seconds: number;
  requests: number;
  bytes: number;
  megabytes: number;
}

// As `npm run sync` does.
limitMallocArenas();

const task = JSON.parse(process.argv[2] ?? '{}') as ReadTask;
const root = `${task.url}/${PRODUCT_ROOT}`;
const begun = performance.now();
const { requests, bytes } = task.way === 'sync' ? await sync() : await fetchAll();
const result: ReadResult = {
  seconds: (performance.now() - begun) / 1000,
  requests,
  bytes,
  megabytes: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(result));
process.exit(0);

function quiet(): void {}

async function sync(): Promise<{ requests: number; bytes: number }> {
  const options = defineConfig({
    site: { name: 'Bench' },
    maker: { name: 'Bench', address: ['Bench'], email: 'bench@bench.example' },
    mainLanguage: 'de-de',
    assortment: task.list,
  });
  return runSync(resolveSettings(task.folder, options, {}), {
    upstreams: { product: { root, token: task.token } },
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    environment: {},
  });
}

/** What a loader does that keeps nothing: every record, every time. */
async function fetchAll(): Promise<{ requests: number; bytes: number }> {
  const gtins = readFileSync(task.list, 'utf8').split('\n').slice(1).filter(Boolean);
  const limit = pLimit(task.way === 'one by one' ? 1 : 8);
  setGlobalDispatcher(new Agent({ connections: 8 }));
  let bytes = 0;
  await limit.map(gtins, async (gtin) => {
    const response = await fetch(`${root}product/${gtin}/?language=de-de`, {
      headers: { authorization: `Token ${task.token}`, accept: 'application/json' },
    });
    const text = await response.text();
    bytes += text.length;
    JSON.parse(text);
  });
  return { requests: gtins.length, bytes };
}
