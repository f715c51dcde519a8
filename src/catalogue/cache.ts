/** Caches the results of a function by its argument, an object, as long as that is in memory. */
export function cacheByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  return readThrough(new WeakMap<Key, Value>(), make);
}

/** Caches the results of a function by its argument, a text such as a language. Undefined isn't cached. */
export function cacheByText<Value>(make: (key: string) => Value): (key: string) => Value {
  return readThrough(new Map<string, Value>(), make);
}

interface Cache<Key, Value> {
  get: (key: Key) => Value | undefined;
  set: (key: Key, value: Value) => unknown;
}

function readThrough<Key, Value>(cache: Cache<Key, Value>, make: (key: Key) => Value): (key: Key) => Value {
  return (key) => {
    const value = cache.get(key) ?? make(key);
    cache.set(key, value);
    return value;
  };
}
