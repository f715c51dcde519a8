import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const DEFLATE = 8;
/** The first day that the format knows: the same files make the same archive. */
const DATE = 0x0021;

/** Texts by their paths as a ZIP archive (PKWARE APPNOTE 6.3). */
export function writeZip(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const plain = Buffer.from(text);
    const packed = deflateRawSync(plain);
    const about = describe(name, plain, packed);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(LOCAL_HEADER);
    const entry = Buffer.concat([head, about, name, packed]);
    local.push(entry);
    central.push(listEntry(about, name, offset));
    offset += entry.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_CENTRAL, 0);
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...local, list, end]));
}

/** What the header of a file and its entry in the list have in common: versions, sizes, checksum, lengths. */
function describe(name: Buffer, plain: Buffer, packed: Buffer): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(VERSION, 0);
  about.writeUInt16LE(FLAGS, 2);
  about.writeUInt16LE(DEFLATE, 4);
  about.writeUInt16LE(DATE, 8);
  about.writeUInt32LE(crc32(plain), 10);
  about.writeUInt32LE(packed.length, 14);
  about.writeUInt32LE(plain.length, 18);
  about.writeUInt16LE(name.length, 22);
  return about;
}

function listEntry(about: Buffer, name: Buffer, offset: number): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32LE(CENTRAL_HEADER, 0);
  head.writeUInt16LE(VERSION, 4);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return Buffer.concat([head, about, tail, name]);
}
