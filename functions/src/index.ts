// The API's table of contents: each line is one function of the deploy.
import { callable } from './callable'
import { endpoint } from './endpoint'
import * as maps from './endpoints/googleapis'
import { advance_booking as advanceBooking } from './endpoints/advanceBooking'
import { create_booking as createBooking } from './endpoints/createBooking'
import { wiring } from './wiring'

const ports = wiring(process.env)

export const create_booking = callable(createBooking, ports)
export const advance_booking = callable(advanceBooking, ports)

/** Deployed as googleapis-getaddress and so on. */
export const googleapis = {
  getaddress: endpoint(maps.getaddress, ports),
  getdirections: endpoint(maps.getdirections, ports),
  autocomplete: endpoint(maps.autocomplete, ports),
  getcoords: endpoint(maps.getcoords, ports),
  getdistancematrix: endpoint(maps.getdistancematrix, ports),
}
