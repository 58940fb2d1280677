import type { MapTheme } from '../mapPort'

/** The colors of everything on the map; they follow the palette of the pages. */
export interface MapColors {
  water: string
  land: string
  landuse: Record<string, string>
  building: string
  buildingLine: string
  minor: string
  minorFar: string
  secondary: string
  primary: string
  trunk: string
  casing: string
  trunkCasing: string
  path: string
  rail: string
  border: string
  country: string
  halo: string
  text: string
  road: string
  poi: string
  arrow: string
  kinds: Record<string, string>
}

const poiColors = {
  hospital: '#d9534f',
  park: '#3f8f4d',
  station: '#2f6fd0',
  aerodrome: '#2f6fd0',
  restaurant: '#d98324',
  shop: '#7d62c4',
  mall: '#7d62c4',
  hotel: '#b05aa0',
  attraction: '#0e7c66',
  university: '#8a6d3b',
  school: '#8a6d3b',
}

export const MAP_COLORS: Record<MapTheme, MapColors> = {
  light: {
    water: '#a9d3e6',
    land: '#f6f2ea',
    landuse: {
      grass: '#e0ecd3',
      farmland: '#e8eed9',
      park: '#cbe6c2',
      pitch: '#bfe0b4',
      wood: '#c3deb8',
      cemetery: '#d8e5cf',
      sand: '#f7ebc6',
      industrial: '#ece7df',
      commercial: '#f1eadd',
      military: '#eae2da',
      school: '#f2ebda',
      hospital: '#f7e3df',
      aerodrome: '#e7e6e6',
      parking: '#ede9e2',
      plaza: '#efe9de',
    },
    building: '#e6dfd3',
    buildingLine: '#d3c9ba',
    minor: '#ffffff',
    minorFar: '#e4ddd1',
    secondary: '#fff4d0',
    primary: '#ffe39b',
    trunk: '#fbcd6c',
    casing: '#d9d1c3',
    trunkCasing: '#dba646',
    path: '#d6cab8',
    rail: '#c2bbb0',
    border: '#a998a6',
    country: '#85737f',
    halo: '#fffdf8',
    text: '#33413c',
    road: '#5b645f',
    poi: '#66726c',
    arrow: '#a9a294',
    kinds: poiColors,
  },
  dark: {
    water: '#0f2130',
    land: '#1a2320',
    landuse: {
      grass: '#1d2d25',
      farmland: '#1e2923',
      park: '#1f372b',
      pitch: '#223f31',
      wood: '#1c3227',
      cemetery: '#1f2d27',
      sand: '#3a3727',
      industrial: '#212b28',
      commercial: '#242c29',
      military: '#25292a',
      school: '#282c30',
      hospital: '#34282b',
      aerodrome: '#242d2b',
      parking: '#232c29',
      plaza: '#27302c',
    },
    building: '#25302c',
    buildingLine: '#303d38',
    minor: '#37443f',
    minorFar: '#28332f',
    secondary: '#45534d',
    primary: '#57645c',
    trunk: '#7d6c42',
    casing: '#141b18',
    trunkCasing: '#3b3524',
    path: '#3a4742',
    rail: '#3d4945',
    border: '#4d5c57',
    country: '#91a39b',
    halo: '#121a17',
    text: '#d0dad5',
    road: '#b2beb8',
    poi: '#93a59d',
    arrow: '#6d7b75',
    kinds: {
      ...poiColors,
      hospital: '#e8807b',
      park: '#6fbf7f',
      station: '#7aa7ee',
      aerodrome: '#7aa7ee',
      shop: '#a893e0',
      mall: '#a893e0',
      hotel: '#d28cc4',
      attraction: '#4fc4a6',
      university: '#c5a870',
      school: '#c5a870',
    },
  },
}
