import { expect, it } from 'vitest';
import { hasUserInfo, maskUserInfo, withoutUserInfo, withoutUserInfos } from './user-info.ts';

it.each([
  ['https://stage:secret@host.example/a?b#c', 'https://host.example/a?b#c'],
  ['http://stage@host.example/', 'http://host.example/'],
  ['https://:secret@host.example/', 'https://host.example/'],
  ['//stage:secret@host.example/', '//stage:secret@host.example/'],
  ['https://host.example/@somebody', 'https://host.example/@somebody'],
  ['mailto:info@host.example', 'mailto:info@host.example'],
  ['Write to stage:secret@host.example', 'Write to stage:secret@host.example'],
])('an address loses its user name and password, another text nothing: %s', (address, without) => {
  expect(withoutUserInfo(address)).toBe(without);
  expect(hasUserInfo(address)).toBe(address !== without);
});

it('texts for people show none, also those that quote JSON or HTML', () => {
  const quoted = String.raw`{"url":"https:\/\/stage:secret@host.example\/a"} <a href="https://stage:secret@b.example">`;
  expect(maskUserInfo(quoted)).toBe(String.raw`{"url":"https:\/\/host.example\/a"} <a href="https://b.example">`);
  expect(maskUserInfo('see https://host.example/?mail=a@b.example')).toBe('see https://host.example/?mail=a@b.example');
});

it('records hold none, however deep', () => {
  const record = { link: 'https://a:b@host.example/', list: [{ url: 'https://a:b@host.example/x' }], n: 1, none: null };
  expect(withoutUserInfos(record)).toEqual({
    link: 'https://host.example/',
    list: [{ url: 'https://host.example/x' }],
    n: 1,
    none: null,
  });
  const clean = { link: 'https://host.example/', list: ['a@b.example'] };
  expect(withoutUserInfos(clean)).toBe(clean);
});
