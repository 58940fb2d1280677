import { INSTRUCTION_FIELDS } from '../booking/contactAccess'
import type { DatabaseValue } from '../data/databaseValue'
import type { RowChange, StoredRecord } from './migration'

const toRecord = (value: DatabaseValue | undefined): StoredRecord =>
  typeof value === 'object' && value !== null ? (value as StoredRecord) : {}

const isInstruction = (field: string): boolean =>
  (INSTRUCTION_FIELDS as readonly string[]).includes(field)

/**
 * Moves the instructions of a booking, which may have door codes, to its contacts, which fewer
 * people read.
 */
export const moveInstructions: RowChange = {
  collections: ['bookings', 'booking_contacts'],
  apply: (row) => {
    const booking = toRecord(row['bookings'])
    const moved = Object.entries(booking).filter(([field]) => isInstruction(field))
    if (moved.length === 0) return row
    const remainingFields = Object.entries(booking).filter(([field]) => !isInstruction(field))
    return {
      ...row,
      bookings: {
        ...Object.fromEntries(remainingFields),
        // A change that is based on the old record must start over.
        revision: Number(booking['revision']) + 1,
      },
      booking_contacts: {
        // The record requires both. They are empty for the booking of a deleted account.
        customer_contact: '',
        customer_email: '',
        ...Object.fromEntries(moved.filter(([, text]) => text !== '')),
        ...toRecord(row['booking_contacts']),
      },
    }
  },
}
