/** What a company carries. */
export const BUSINESSES = ['rides', 'parcels', 'both'] as const
export type Business = (typeof BUSINESSES)[number]
