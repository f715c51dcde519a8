/** Returns true if an address holds a user name or a password (RFC 3986, 3.2.1). */
export function hasUserInfo(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** Returns an address without user name and password; any other text stays as it is. */
export function withoutUserInfo(address: string): string {
  // Parsing every text of every record would take too long.
  if (!address.includes('@') || !hasUserInfo(address)) return address;
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** In JSON, slashes may be escaped. */
const USER_INFO = /(https?:(?:\\?\/){2})[^\s/?#"'<>\\]*@/gi;

/** Removes user names and passwords from the addresses within a text that is shown to people. */
export function maskUserInfo(text: string): string {
  return text.includes('@') ? text.replace(USER_INFO, '$1') : text;
}

/**
 * Returns a value of JSON in which every text that is an address holds no user name and no password: the value itself
 * where there is nothing to remove.
 */
export function withoutUserInfos<T>(value: T): T;
export function withoutUserInfos(value: unknown): unknown {
  if (typeof value === 'string') return withoutUserInfo(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const copy = members.map(([name, member]): [string, unknown] => [name, withoutUserInfos(member)]);
  if (copy.every(([, member], i) => member === members[i]?.[1])) return value;
  return Array.isArray(value) ? copy.map(([, member]) => member) : Object.fromEntries(copy);
}
