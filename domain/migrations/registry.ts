import { nameSite } from './appName'
import { moveBookingContacts } from './bookingContacts'
import { countOpenBookings } from './countOpenBookings'
import { countTotals } from './countTotals'
import { addDueTimes } from './dueTimes'
import { roundWallets } from './walletRounding'
import { removeHiddenDrivers } from './unlistedDrivers'
import { rebuildDirectory } from './directory'
import { moveNamedDevices } from './namedDevices'
import { dropBareRegistrations } from './pushTokens'
import type { RowChange, DerivedDataName, Migration, TotalsCounter } from './migration'
import { nameBookings } from './nameBookings'
import { reserveReferralIds } from './reserveReferralIds'
import { dropAuditedWords, dropRefundWords, dropWalletWords, moveEventWords } from './eventWords'
import { moveInstructions } from './instructions'
import { rebuildRoles } from './roles'
import { renameDispatchModes } from './dispatchMode'
import { keepVehiclesSideBySide } from './vehicleLayout'
import { dropShippedTexts } from './ownTexts'

/**
 * Data derived from other data, which can be rebuilt at any time. It uses this release's code, so
 * it runs after all changes of the shape.
 */
export const DERIVED_DATA = {
  people: { change: rebuildDirectory, description: 'Lists every person in the directory' },
  roles: { change: rebuildRoles, description: 'Writes the role of every approved account' },
  texts: {
    change: dropShippedTexts,
    description: 'Removes the texts of languages that ship with the release',
  },
  openBookings: {
    tally: countOpenBookings,
    description: 'Counts the open bookings of each rider',
  },
  totals: {
    tally: countTotals,
    description: 'Counts all totals from bookings and closed accounts',
  },
} as const satisfies Record<
  DerivedDataName,
  { description: string } & ({ change: RowChange } | { tally: TotalsCounter })
>

/**
 * Every change of the data's shape, oldest first. Append a new one with the next version, and
 * update SCHEMA_VERSION in domain/data/schemaVersion.ts. Never edit a released one, because data
 * between two releases depends on it.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: 'beginning',
    description:
      'Moves contacts out of bookings, makes wallets exact, and gives data without a version its directory, roles and totals',
    changes: [moveBookingContacts, removeHiddenDrivers, roundWallets],
    rebuilds: ['people', 'roles', 'totals', 'openBookings'],
  },
  {
    version: 2,
    name: 'references and settings with effect',
    description:
      'Gives every booking a short reference, puts the name of the settings into the texts that name the site, keeps vehicle types side by side, renames the dispatch modes, and drops push registrations without a device',
    changes: [nameSite, keepVehiclesSideBySide, renameDispatchModes, dropBareRegistrations],
    namings: [nameBookings],
    rebuilds: [],
  },
  {
    version: 3,
    name: 'due times',
    description: 'Gives every booking the time at which the scheduled job next has work with it',
    changes: [addDueTimes],
    rebuilds: [],
  },
  {
    version: 4,
    name: 'referral ids',
    description:
      'Reserves the referral id of every account, and gives a new one to an account that shares its id with another',
    changes: [],
    namings: [reserveReferralIds],
    rebuilds: [],
  },
  {
    version: 5,
    name: 'words apart from logs',
    description:
      'Moves what people wrote about events out of the log of a booking, and removes the copies in the audit, in wallets and in payments',
    changes: [moveEventWords, dropAuditedWords, dropWalletWords, dropRefundWords],
    rebuilds: [],
  },
  {
    version: 6,
    name: 'what belongs to a person',
    description:
      'Moves the instructions of bookings, which may have door codes, to their contacts, and push tokens out of profiles',
    changes: [moveInstructions, moveNamedDevices],
    rebuilds: [],
  },
  {
    version: 7,
    name: 'people by name',
    description: 'Gives every person the key by which the lists of the office are in order',
    changes: [],
    rebuilds: ['people'],
  },
]
