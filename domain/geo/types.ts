export interface LatLng {
  lat: number
  lng: number
}

/** A position with its address. */
export interface Place extends LatLng {
  add: string
}
