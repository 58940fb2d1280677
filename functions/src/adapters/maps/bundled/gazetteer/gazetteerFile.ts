import { decodeColumnFile, type Column } from '../columnFile'
import type { HouseColumns } from './houseNumbers'

/** The texts of a city's places, by item. */
export interface Header {
  country: string
  city: string
  kinds: string[]
  names: string[]
  contexts: string[]
  aliases: [number, string][]
  translations: [number, Record<string, string>][]
  houseNumbers: string
}

/** The numbers of its places and houses. */
export interface Columns extends Record<string, Column>, HouseColumns {
  kind: Uint8Array
  weight: Float32Array
  lng: Int32Array
  lat: Int32Array
}

/** Reads `gaz.bin`. Throws when the file has another format. */
export const readGazetteerFile = (file: Buffer) => decodeColumnFile<Header, Columns>(file)
