/**
 * Returns the value of a table at a key that may come from outside; undefined for a key that the
 * table lacks. An index would find what every object has, such as `constructor`.
 */
export const getOwn = <Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)
