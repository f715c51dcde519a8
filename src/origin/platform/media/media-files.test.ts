import { expect, test } from 'vitest';
import { cleanFileName } from './media-files.ts';

const clean = (sent: string) => {
  const { base, extension } = cleanFileName(sent);
  return extension === '' ? base : `${base}.${extension}`;
};

test.each([
  ['roof.jpg', 'roof.jpg'],
  ['UPPER.JPEG', 'UPPER.jpeg'],
  ['my holiday photo.png', 'my-holiday-photo.png'],
  ['../../etc/passwd.png', 'etcpasswd.png'],
  [String.raw`..\..\windows\system.png`, 'windowssystem.png'],
  ['/absolute/path.png', 'absolutepath.png'],
  ['a.php.png', 'a.php_.png'],
  ['shell.phtml.jpg', 'shell.phtml_.jpg'],
  ['photo.jpg.png', 'photo.jpg.png'],
  ['My Pic.Final.png', 'My-Pic.Final_.png'],
  ['Äpfel & Öl #1 (final).PNG', 'Apfel-Ol-1-final.png'],
  ['straße œuvre.png', 'strase-oeuvre.png'],
  ['屋根.png', '屋根.png'],
  ['name\0.php.png', 'name.php_.png'],
  ['evil\u202Egnp.exe', 'evilgnp.exe'],
  ['zero\u200Bwidth.png', 'zerowidth.png'],
  ['new\nline\tand\u00A0more.png', 'new-line-and-more.png'],
  ['CON.png', 'CON_.png'],
  ['lpt1.tar.gz', 'lpt1_.tar_.gz'],
  ['.htaccess', 'htaccess'],
  ['...png', 'png'],
  ['x.png...', 'x.png'],
  ['"><img src=x>.png', 'img-srcx.png'],
  ['$(rm -rf).png', 'rm-rf.png'],
  ['lone\uD800.png', 'lone.png'],
  ['', ''],
])('%j is stored as %j', (sent, stored) => {
  expect(clean(sent)).toBe(stored);
});

test('names leave room for what is put behind them, and are never cut inside a letter', () => {
  const { base } = cleanFileName(`${'屋'.repeat(300)}.png`);
  expect(Buffer.byteLength(base)).toBeLessThanOrEqual(180);
  expect(base).toMatch(/^屋+$/);
});

test('a name of any length is cut to what file systems take, between two letters', () => {
  expect(clean(`${'ä'.repeat(15_000)}.jpg`)).toBe(`${'a'.repeat(180)}.jpg`);
  expect(clean(`${'中'.repeat(15_000)}.jpg`)).toBe(`${'中'.repeat(60)}.jpg`);
});
