/** Kinds of business: the company carries people, parcels or both. */
export const BUSINESSES = ['rides', 'parcels', 'both'] as const
export type Business = (typeof BUSINESSES)[number]
