import { isSortimentError } from '#contracts/index.ts';
import { openStore } from '../open-store.ts';

// Opens a store, prints `open` or the error code, and holds it until stdin ends.

const [dataFolder = '', databaseUrl] = process.argv.slice(2);
try {
  const store = await openStore({ dataFolder, databaseUrl });
  process.stdout.write('open\n');
  process.stdin.resume().once('end', () => void store.close());
} catch (error) {
  process.stdout.write(`${isSortimentError(error) ? `${error.code} ${error.message}` : String(error)}\n`);
}
