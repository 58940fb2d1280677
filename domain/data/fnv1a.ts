/** Returns the 32-bit FNV-1a hash of a text; `from` continues the hash of the text before it. */
export const fnv1a = (text: string, from = 0x811c9dc5): number => {
  let hash = from
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
