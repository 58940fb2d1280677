/** Returns the interface texts that ship with the product, by locale. */
export type TextsPort = () => Promise<Record<string, Record<string, string>>>
