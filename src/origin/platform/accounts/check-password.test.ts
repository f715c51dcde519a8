import { expect, test } from 'vitest';
import { checkPassword } from './passwords.ts';

const user = { login: 'jane.planer', email: 'jane@planer.example' };
const check = (password: string) => () => checkPassword(password, user);

test.each([
  'a',
  '1234567',
  'Jane.Planer',
  ' jane@planer.example ',
  'aaaaaaaaaa',
  'abababababab',
  'Password1',
  '12345678',
])('"%s" is refused', (password) => {
  expect(check(password)).toThrow(expect.objectContaining({ code: 'WEAK_PASSWORD' }));
});

test.each(['long enough', 'ein langes Passwort', 'x7Kq2mZp'])('"%s" is taken', (password) => {
  expect(check(password)).not.toThrow();
});
