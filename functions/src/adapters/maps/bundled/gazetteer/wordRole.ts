/**
 * How much an address depends on a word. `city` are the words of the city and the country, which
 * fit every place; `area` those of its quarters; `ignored` areas, postcodes and flats, which
 * decide nothing; `name` all that have no other role.
 */
export type WordRole = 'name' | 'number' | 'streetType' | 'stop' | 'area' | 'city' | 'ignored'
